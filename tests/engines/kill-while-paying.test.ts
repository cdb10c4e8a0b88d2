import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Hold } from '#contract/booking.ts'
import { CardStart, PaymentStatus, ReturnResponse, WalletStart } from '#contract/payments.ts'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { type MadeAccount, makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { drawWithPlaces } from '#tests/harness/servers/empty-database.ts'
import { realEnvironment } from '#tests/harness/servers/real-environment.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { freePort, ServerProcess, waitUntil } from '#tests/harness/servers/server-process.ts'
import { startSmtpServer } from '#tests/harness/servers/smtp-server.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { verifyCode } from '#tests/harness/visits.ts'
import { makeProviderWithSlots } from './booking-race.ts'
import { findViolations } from './payment-invariants.ts'

const DAY = 86_400_000
const HALF_AN_HOUR = 30 * 60_000

const Tokens = z.object({ tokens: z.object({ access_token: z.string() }) })

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'apposite-kill-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Faults for one order: the capture, and all later reads of the order. */
function faultsForOrder(order: string, capture: 'drop_before' | 'drop_after') {
  const path = `/v2/checkout/orders/${order}`
  return [
    { path: `${path}/capture`, fault: capture, times: 99 },
    { path, method: 'GET' as const, fault: 'drop_before' as const, times: 99 },
  ]
}

test('killed while money moves and started again, the server knows what became of it, and takes nothing twice', async () => {
  await using folder = await makeFolder()
  await using sandbox = await startSandbox({ now: Date.now })
  await writeFile(join(folder.path, 'apposite.db'), await drawWithPlaces())
  const database = openDatabase(`sqlite:${join(folder.path, 'apposite.db')}`)
  await using testApp = await makeTestApp({ database, newId })
  await using post = await startSmtpServer()
  const env = { ...(await realEnvironment(sandbox, folder.path)), SMTP_URL: post.url }
  await using server = new ServerProcess(env, await freePort())

  const first = Math.ceil(Date.now() / HALF_AN_HOUR) * HALF_AN_HOUR + 3 * DAY
  const starts = [0, 1, 2, 3].map((at) => first + at * HALF_AN_HOUR)
  const providerId = await makeProviderWithSlots(
    testApp,
    starts.map((start) => ({ start, minutes: 30 })),
  )
  const people = [await makeAccount(testApp), await makeAccount(testApp)] as const
  await server.start()

  const signIn = async ({ email, kind }: MadeAccount) => {
    const input = { email, password: PASSWORD, user_type: kind }
    return Tokens.parse(await server.act('auth.signIn', input)).tokens.access_token
  }
  const [one, other] = [await signIn(people[0]), await signIn(people[1])]
  const begin = async (at: number, procedure: string) => {
    const [account, token] = at < 2 ? [people[0], one] : [people[1], other]
    const startsAt = new Date(starts[at] ?? 0).toISOString()
    const hold = Hold.parse(await server.act('booking.hold', { providerId, startsAt }, token))
    await verifyCode({ ...signedInAs(testApp.services, account), now: Date.now }, hold.id)
    const terms = {
      holdId: hold.id,
      typeOfVisit: 'first_visit',
      purposeForVisit: 'A cough that will not go away',
      shown: hold.fees.first_visit,
    }
    return { hold, token, started: await server.act(`payments.${procedure}`, terms, token) }
  }
  const wallet = async (at: number) => {
    const { hold, token, started } = await begin(at, 'startWallet')
    const { orderId } = WalletStart.parse(started)
    sandbox.approve(orderId)
    return { hold, token, orderId }
  }
  const unasked = await wallet(0)
  const unanswered = await wallet(1)
  const untold = await wallet(2)
  const card = await begin(3, 'startCard')
  const session = CardStart.parse(card.started).clientSecret.split('_secret_')[0] ?? ''

  // One capture never reaches the gateway; for the other the response is lost …
  const rules = [
    ...faultsForOrder(unasked.orderId, 'drop_before'),
    ...faultsForOrder(unanswered.orderId, 'drop_after'),
  ]
  await sandbox.tell({ do: 'fail_calls', rules })
  const { store } = sandbox.sandbox.ctx
  const pressed = [unasked, unanswered].map(({ orderId, token }) =>
    server.act('payments.capture', { orderId }, token).catch(() => null),
  )
  const capturing = database.db.selectFrom('payments').where('state', '=', 'capturing').select('no')
  await waitUntil(async () => (await capturing.execute()).length === 2)
  await waitUntil(() => store.list('capture').length === 1)
  await server.kill()
  await Promise.all(pressed)
  // … and the card is paid while the server is down.
  sandbox.payByCard(session)
  await sandbox.tell({ do: 'fail_calls', rules: [] })

  await server.start()
  for (const { orderId, token, hold } of [unasked, unanswered]) {
    const status = async () =>
      PaymentStatus.parse(await server.ask('payments.status', { orderId }, token))
    await waitUntil(async () => (await status()).status !== 'PENDING')
    expect(await status()).toEqual({ status: 'COMPLETED', reason: null, visitId: hold.id })
  }
  const returned = await server.ask('payments.returned', { session_id: session }, other)
  const { status, visit } = ReturnResponse.parse(returned)
  expect([status, visit?.id]).toEqual(['complete', card.hold.id])
  // An approval the server never learned of charges nothing, and the time is released.
  const left = await server.act('payments.leave', { holdId: untold.hold.id }, untold.token)
  expect(left).toEqual({ released: true })

  expect(
    store
      .list('capture')
      .map(({ order }) => order)
      .toSorted(),
  ).toEqual([unasked.orderId, unanswered.orderId].toSorted())
  const unsent = () =>
    database.db.selectFrom('outbox').select('id').where('done_at', 'is', null).execute()
  await waitUntil(async () => (await unsent()).length === 0)
  expect(await findViolations(testApp, sandbox)).toEqual([])
}, 60_000)
