import { expect, test } from 'vitest'
import { captureOrder, createOrder } from '#sandbox/paypal/paypal-orders.ts'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'
import { renderOperatorPage, runOperatorForm } from './operator-page.ts'

const START = Date.parse('2026-03-02T09:00:00Z')

/** Submits the form of the page's button with this label, as a browser would. */
async function press({ sandbox }: TestSandbox, label: string): Promise<void> {
  const page = String((await renderOperatorPage(sandbox)).body)
  const forms = page.match(/<form.*?<\/form>/gs) ?? []
  const form = forms.find((one) => one.includes(`>${label}<span`))
  if (form === undefined) throw new Error(`no button says ${label}`)
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([_all, name = '', value = '']): [string, string] => [name, value],
  )
  const answer = await runOperatorForm(sandbox, new URLSearchParams(fields).toString())
  expect([label, answer.status]).toEqual([label, 303])
}

function pay(bench: TestSandbox): { capture: string; order: string } {
  const { ctx } = bench.sandbox
  const amount = { currency_code: 'GBP' as const, value: '50.00' }
  const order = createOrder(ctx, { intent: 'CAPTURE', purchase_units: [{ amount }] }).id
  bench.approve(order)
  return { order, capture: captureOrder(ctx, order).capture ?? '' }
}

test('money can be disputed, refunded and forgotten from the page', async () => {
  await using bench = await startSandbox({ now: () => START })
  const { store } = bench.sandbox.ctx
  const { capture, order } = pay(bench)
  await press(bench, 'Dispute')
  await press(bench, 'Won')
  expect(store.list('walletDispute')[0]?.outcome).toBe('RESOLVED_SELLER_FAVOUR')
  await press(bench, 'Refund')
  expect(store.find('capture', capture)?.status).toBe('REFUNDED')
  await press(bench, 'Forget')
  expect(store.find('order', order)?.isForgotten).toBe(true)
})

test('a gateway can be made unreachable, and reachable again', async () => {
  await using bench = await startSandbox({ now: () => START })
  const { faults } = bench.sandbox
  await press(bench, 'Wallet gateway: stop answering')
  expect([...faults.away]).toEqual(['paypal'])
  await press(bench, 'Wallet gateway: answer again')
  expect([...faults.away]).toEqual([])
})

test('late calls can be executed from the page', async () => {
  await using bench = await startSandbox({ now: () => START })
  await bench.fail({ path: '/v1/', fault: 'late', times: 1 })
  await expect(fetch(`${bench.baseUrl}/v1/charges`)).rejects.toThrow('fetch failed')
  await press(bench, 'Execute late calls (1)')
  expect(bench.sandbox.faults.late).toEqual([])
})
