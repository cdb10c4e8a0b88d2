import { expect, test } from 'vitest'
import { reconcile } from '#server/payments/events/reconcile.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makeTill, type Till } from '#tests/harness/paying.ts'
import { capture } from './capture.ts'
import { readReturn, readStatus } from './read-payment.ts'
import { startCard } from './start-payment.ts'
import { sweepHolds } from './sweep-holds.ts'

// security.md, section 7: lines 26, 34, 35 and 37.

const MINUTE = 60_000

async function payment({ testApp }: Till) {
  return testApp.database.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow()
}

async function booking({ testApp }: Till) {
  return testApp.database.db.selectFrom('bookings').selectAll().executeTakeFirstOrThrow()
}

test('26: another amount than ours captures nothing', async () => {
  await using till = await makeTill()
  const orderId = await till.wallet(await till.hold())
  till.sandbox.approve(orderId)
  for (const selectedAmount of [1, -5, 1e9]) {
    expect(await capture(till.patient, { orderId, selectedAmount })).toEqual({ success: false })
  }
  expect((await payment(till)).state).toBe('open')
  expect(till.sandbox.sandbox.ctx.store.list('capture')).toEqual([])
  const { amount_minor: selectedAmount } = await payment(till)
  expect(await capture(till.patient, { orderId, selectedAmount })).toEqual({ success: true })
  expect((await booking(till)).state).toBe('confirmed')
})

test('a price that is not ours opens no checkout', async () => {
  await using till = await makeTill()
  const hold = await till.hold()
  const shown = { ...hold.fees.first_visit, minor: 1 }
  await expect(
    startCard(till.patient, {
      holdId: hold.id,
      typeOfVisit: 'first_visit',
      purposeForVisit: 'A cough that will not go away',
      shown,
    }),
  ).rejects.toMatchObject({ code: 'price_changed' })
  expect(till.sandbox.sandbox.ctx.store.list('session')).toEqual([])
})

test('a return that is not one’s own asks the gateway now and then, not each time', async () => {
  await using till = await makeTill()
  const session = await till.card(await till.hold())
  const { stripe } = till.testApp.services.gateways
  let asked = 0
  till.testApp.services.gateways.stripe = {
    ...stripe,
    read: (names) => {
      asked += 1
      return stripe.read(names)
    },
  }
  const look = () => readReturn(till.testApp.context(), { session_id: session })
  till.testApp.advance(MINUTE)
  for (let count = 0; count < 20; count += 1) expect((await look()).status).toBe('open')
  expect(asked).toBe(1)
  // A patient who paid and returned in another browser still sees it soon.
  till.sandbox.payByCard(session)
  till.testApp.advance(5_000)
  expect((await look()).status).toBe('complete')
  till.testApp.advance(MINUTE)
  for (let count = 0; count < 20; count += 1) expect((await look()).status).toBe('complete')
  expect(asked).toBe(2)
})

test('34: what is booked stays booked, whatever is heard of its session later', async () => {
  await using till = await makeTill()
  const session = await till.card(await till.hold())
  till.sandbox.payByCard(session)
  expect((await readReturn(till.patient, { session_id: session })).status).toBe('complete')
  till.testApp.advance(60 * MINUTE)
  await sweepHolds(till.testApp.services)
  await reconcile(till.testApp.services)
  expect((await booking(till)).state).toBe('confirmed')
  expect((await payment(till)).state).toBe('paid')
})

test('34: money for a time that went to somebody else goes back once, with a mail', async () => {
  await using till = await makeTill()
  const session = await till.card(await till.hold())
  const first = await payment(till)
  till.testApp.advance(16 * MINUTE)
  await sweepHolds(till.testApp.services)
  await till.hold(till.stranger)
  // As if the gateway had taken the money anyway.
  const { store } = till.sandbox.sandbox.ctx
  const closed = store.find('session', session)
  if (closed === undefined) throw new Error('The session is gone.')
  store.put('session', { ...closed, status: 'open' })
  till.sandbox.payByCard(session)
  till.testApp.advance(11 * MINUTE)
  await reconcile(till.testApp.services)
  for (let round = 0; round < 3; round += 1) {
    await runRefunds(till.testApp.services)
    till.testApp.advance(11 * MINUTE)
  }
  await till.testApp.drainOutbox()
  expect(store.list('refund').map(({ amount }) => amount)).toEqual([first.amount_minor])
  const after = await till.testApp.database.db
    .selectFrom('payments')
    .select('state')
    .where('no', '=', first.no)
    .executeTakeFirstOrThrow()
  expect(after.state).toBe('refunded')
  const told = till.testApp.mails.filter(({ subject }) => subject.startsWith('We’ve refunded £'))
  expect(told).toHaveLength(1)
})

test('35: another amount paid than asked for books nobody and alerts staff', async () => {
  await using till = await makeTill()
  const session = await till.card(await till.hold())
  const { store } = till.sandbox.sandbox.ctx
  const opened = store.find('session', session)
  if (opened === undefined) throw new Error('The session is gone.')
  store.put('session', { ...opened, amount: opened.amount - 100 })
  till.sandbox.payByCard(session)
  expect((await readReturn(till.patient, { session_id: session })).status).toBe('failed')
  expect((await payment(till)).state).toBe('review')
  expect((await booking(till)).state).toBe('held')
  await till.testApp.drainOutbox()
  expect(till.testApp.mails.map(({ subject }) => subject)).toContain(
    'A payment doesn’t match what we asked for',
  )
})

test('37: others’ orders are not there, and their returns say a status and nothing else', async () => {
  await using till = await makeTill()
  const hold = await till.hold()
  const session = await till.card(hold)
  till.sandbox.payByCard(session)
  till.testApp.advance(5_000)
  expect(await readReturn(till.stranger, { session_id: session })).toEqual({
    status: 'complete',
    reason: null,
    customer_email: null,
    visit: null,
    hold: null,
  })
  await expect(readStatus(till.stranger, { orderId: session })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(capture(till.stranger, { orderId: session })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await readStatus(till.patient, { orderId: session })).toMatchObject({
    status: 'COMPLETED',
    visitId: hold.id,
  })
})
