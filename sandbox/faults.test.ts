import { expect, test } from 'vitest'
import { paypalWire, startSandbox, stripeWire } from '#tests/harness/servers/sandbox.ts'
import type { CallFault } from './faults.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SESSIONS = '/v1/checkout/sessions'
const ORDERS = '/v2/checkout/orders'

/** The form of a session that expires 31 minutes after the start. */
const FORM = new URLSearchParams({
  mode: 'payment',
  ui_mode: 'embedded_page',
  return_url: 'https://care.example/return',
  expires_at: String((START + 31 * MINUTE) / 1_000),
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': 'gbp',
  'line_items[0][price_data][unit_amount]': '5000',
  'line_items[0][price_data][product_data][name]': 'Appointment',
}).toString()
const ORDER = JSON.stringify({
  intent: 'CAPTURE',
  purchase_units: [
    {
      custom_id: 'pay_1',
      invoice_id: 'pay_1',
      amount: { currency_code: 'GBP', value: '50.00' },
    },
  ],
})

async function begin() {
  let clock = START
  const bench = await startSandbox({ now: () => clock })
  const { store } = bench.sandbox.ctx
  const stripe = stripeWire(bench)
  const paypal = await paypalWire(bench)
  const key = { 'idempotency-key': 'pay:1:create' }
  const id = (name: string) => ({ 'paypal-request-id': name })
  return {
    bench,
    store,
    stripe,
    paypal,
    advance: (ms: number) => {
      clock += ms
    },
    fail: (path: string, fault: CallFault, times = 1) => bench.fail({ path, fault, times }),
    /** The same call with the same key, every time. */
    create: () => stripe('POST', SESSIONS, { body: FORM, headers: key }),
    session: () => store.list('session')[0]?.id ?? '',
    order: () => store.list('order')[0]?.id ?? '',
    createOrder: () => paypal('POST', ORDERS, { body: ORDER, headers: id('pay:1:create') }),
    capture: (order: string) =>
      paypal('POST', `${ORDERS}/${order}/capture`, { body: '{}', headers: id('pay:1:capture') }),
    refund: (capture: string) =>
      paypal('POST', `/v2/payments/captures/${capture}/refund`, {
        body: '{}',
        headers: id('pay:1:refund'),
      }),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

test('a retry whose first try never arrived is validated like a first call', async () => {
  await using at = await begin()
  await at.fail(SESSIONS, 'drop_before')
  await expect(at.create()).rejects.toThrow('fetch failed')
  at.advance(MINUTE + 1_000)
  expect(await at.create()).toMatchObject({
    status: 400,
    json: { error: { param: 'expires_at' } },
  })
  expect(at.store.list('session')).toEqual([])
})

test('a retry whose first try was executed gets its response, however late', async () => {
  await using at = await begin()
  await at.fail(SESSIONS, 'drop_after')
  await expect(at.create()).rejects.toThrow('fetch failed')
  at.advance(20 * MINUTE)
  const again = await at.create()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(again.json).toMatchObject({ id: at.session() })
})

test('a late call is executed when it arrives, not when it was sent', async () => {
  await using at = await begin()
  await at.fail(SESSIONS, 'late')
  await expect(at.create()).rejects.toThrow('fetch failed')
  expect(at.store.list('session')).toEqual([])
  await at.bench.executeLate()
  expect(at.store.list('session')).toHaveLength(1)
  await at.bench.executeLate()
  expect(at.store.list('session')).toHaveLength(1)
  expect((await at.create()).headers.get('idempotent-replayed')).toBe('true')
})

test('a late call that arrives after its retry changes nothing', async () => {
  await using at = await begin()
  await at.createOrder()
  at.bench.approve(at.order())
  await at.fail('*/capture', 'late')
  await expect(at.capture(at.order())).rejects.toThrow('fetch failed')
  expect((await at.capture(at.order())).status).toBe(201)
  await at.bench.executeLate()
  expect(at.store.list('capture')).toHaveLength(1)
})

test('a hanging call gets no response, and ends when its caller gives up', async () => {
  await using at = await begin()
  await at.fail(SESSIONS, 'hang')
  const call = at.stripe('POST', SESSIONS, { body: FORM, signal: AbortSignal.timeout(200) })
  await expect(call).rejects.toThrow('timeout')
  expect(at.store.list('session')).toEqual([])
})

test('stopping the sandbox ends hanging calls', async () => {
  const at = await begin()
  await at.fail(SESSIONS, 'hang')
  const outcome = at.create().catch(String)
  await expect.poll(() => at.bench.sandbox.faults.calls).toEqual([])
  await at[Symbol.asyncDispose]()
  expect(await outcome).toContain('fetch failed')
})

test.each([
  ['error_500_kept', 0],
  ['error_500_kept_done', 1],
] as const)('%s is stored under its key for a day; %d sessions are made', async (fault, made) => {
  await using at = await begin()
  await at.fail(SESSIONS, fault)
  expect((await at.create()).status).toBe(500)
  expect(at.store.list('session')).toHaveLength(made)
  const again = await at.create()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([500, 'true'])
  expect(at.store.list('session')).toHaveLength(made)
})

test('PayPal stores no failures: a retry gets the current result', async () => {
  await using at = await begin()
  await at.fail(ORDERS, 'error_500_kept_done')
  expect((await at.createOrder()).status).toBe(500)
  expect(await at.createOrder()).toMatchObject({ status: 200, json: { id: at.order() } })
})

test('request ids expire after 6 hours, those of refunds after 45 days', async () => {
  await using at = await begin()
  const first = await at.createOrder()
  const order = at.order()
  at.bench.approve(order)
  expect([first.status, (await at.capture(order)).status]).toEqual([201, 201])
  const capture = at.store.list('capture')[0]?.id ?? ''
  expect((await at.refund(capture)).status).toBe(201)
  at.advance(6 * HOUR - 1)
  expect((await at.createOrder()).status).toBe(200)
  expect((await at.capture(order)).status).toBe(200)
  at.advance(1)
  expect((await at.createOrder()).status).toBe(201)
  expect(await at.capture(order)).toMatchObject({
    status: 422,
    json: { details: [{ issue: 'ORDER_ALREADY_CAPTURED' }] },
  })
  // A token lives for nine hours.
  at.advance(45 * 24 * HOUR - 6 * HOUR - 1)
  const later = await paypalWire(at.bench)
  const repeat = () =>
    later('POST', `/v2/payments/captures/${capture}/refund`, {
      body: '{}',
      headers: { 'paypal-request-id': 'pay:1:refund' },
    })
  expect((await repeat()).status).toBe(200)
  at.advance(1)
  expect(await repeat()).toMatchObject({
    status: 422,
    json: { details: [{ issue: 'CAPTURE_FULLY_REFUNDED' }] },
  })
})

test.each([
  ['conflict_409', 409, 'PREVIOUS_REQUEST_IN_PROGRESS'],
  ['too_many_429', 429, 'RATE_LIMIT_REACHED'],
  ['error_500', 500, 'INTERNAL_SERVICE_ERROR'],
  ['not_found_404', 404, 'INVALID_RESOURCE_ID'],
] as const)('%s is reported in each protocol’s format', async (fault, status, issue) => {
  await using at = await begin()
  await at.bench.fail({ path: '/', fault, times: 2 })
  const [card, wallet] = [await at.create(), await at.createOrder()]
  expect([card.status, wallet.status]).toEqual([status, status])
  expect(card.json).toHaveProperty('error.type')
  expect(wallet.json).toMatchObject({ details: [{ issue }] })
  const wait = status === 429 ? '1' : null
  expect([card, wallet].map(({ headers }) => headers.get('retry-after'))).toEqual([wait, wait])
  expect([at.store.list('session'), at.store.list('order')]).toEqual([[], []])
})

test('an object reported missing is found by the next call', async () => {
  await using at = await begin()
  await at.create()
  await at.fail(SESSIONS, 'not_found_404')
  const path = `${SESSIONS}/${at.session()}`
  expect(await at.stripe('GET', path)).toMatchObject({
    status: 404,
    json: { error: { code: 'resource_missing' } },
  })
  expect((await at.stripe('GET', path)).status).toBe(200)
})

test('an order may come back without its payments', async () => {
  await using at = await begin()
  await at.createOrder()
  at.bench.approve(at.order())
  await at.capture(at.order())
  await at.fail(ORDERS, 'without_payments')
  const { json } = await at.paypal('GET', `${ORDERS}/${at.order()}`)
  expect(json).toMatchObject({ status: 'COMPLETED', purchase_units: [{ custom_id: 'pay_1' }] })
  expect(JSON.stringify(json)).not.toContain('payments')
})

test('a refusal is final: Stripe repeats it under its key', async () => {
  await using at = await begin()
  await at.create()
  at.bench.payByCard(at.session())
  const { intent } = at.store.find('session', at.session()) ?? {}
  const body = new URLSearchParams({ payment_intent: intent ?? '' }).toString()
  const headers = { 'idempotency-key': 'pay:1:refund' }
  await at.fail('/v1/refunds', 'refused')
  for (const _repeat of [1, 2]) {
    expect(await at.stripe('POST', '/v1/refunds', { body, headers })).toMatchObject({
      status: 400,
      json: { error: { type: 'invalid_request_error' } },
    })
  }
  expect(at.store.list('refund')).toEqual([])
})

test('PayPal refuses each kind of call with its own issue', async () => {
  await using at = await begin()
  await at.fail(ORDERS, 'refused')
  const refused = (issue: string) => ({ status: 422, json: { details: [{ issue }] } })
  expect(await at.createOrder()).toMatchObject(refused('PAYEE_ACCOUNT_RESTRICTED'))
  await at.createOrder()
  at.bench.approve(at.order())
  await at.fail('*/capture', 'refused')
  expect(await at.capture(at.order())).toMatchObject(refused('TRANSACTION_REFUSED'))
  await at.capture(at.order())
  await at.fail('*/refund', 'refused')
  const capture = at.store.list('capture')[0]?.id ?? ''
  expect(await at.refund(capture)).toMatchObject(refused('REFUND_TIME_LIMIT_EXCEEDED'))
  expect(at.store.list('walletRefund')).toEqual([])
})

test('every response is dated by the sandbox’s clock', async () => {
  await using at = await begin()
  at.advance(HOUR)
  const date = 'Mon, 02 Mar 2026 10:00:00 GMT'
  const card = await at.stripe('GET', SESSIONS)
  const wallet = await at.paypal('GET', `${ORDERS}/NONE`)
  expect([card, wallet].map(({ headers }) => headers.get('date'))).toEqual([date, date])
})

test('an unreachable gateway receives nothing, while its buyers’ pages work', async () => {
  await using at = await begin()
  await at.create()
  await at.bench.away('stripe')
  await expect(at.stripe('GET', SESSIONS)).rejects.toThrow('fetch failed')
  expect((await at.createOrder()).status).toBe(201)
  const { secret } = at.store.find('session', at.session()) ?? {}
  const page = `/sandbox/stripe/checkout?client_secret=${at.session()}_secret_${secret}`
  expect((await fetch(`${at.bench.baseUrl}${page}`)).status).toBe(200)
  expect(at.bench.payByCard(at.session()).result).toBe('paid')
  await at.bench.away('stripe', false)
  expect((await at.stripe('GET', SESSIONS)).status).toBe(200)
})
