import { expect, test } from 'vitest'
import { reconcile } from '#server/payments/events/process-events.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { advance, setPaidBack } from '#server/payments/store.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { capture, readReturn, readStatus } from './capture.ts'
import { sweepHolds } from './close-payment.ts'
import { startCard } from './start-payment.ts'

// security.md, section 7: lines 26, 34, 35 and 37.

const MINUTE = 60_000

async function payment({ testApp }: PaymentFixture) {
  return testApp.database.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow()
}

async function booking({ testApp }: PaymentFixture) {
  return testApp.database.db.selectFrom('bookings').selectAll().executeTakeFirstOrThrow()
}

test('26: an amount that differs from ours captures nothing', async () => {
  await using fixture = await makePaymentFixture()
  const orderId = await fixture.wallet(await fixture.hold())
  fixture.sandbox.approve(orderId)
  for (const selectedAmount of [1, -5, 1e9]) {
    expect(await capture(fixture.patient, { orderId, selectedAmount })).toEqual({ success: false })
  }
  expect((await payment(fixture)).state).toBe('open')
  expect(fixture.sandbox.sandbox.ctx.store.list('capture')).toEqual([])
  const { amount_minor: selectedAmount } = await payment(fixture)
  expect(await capture(fixture.patient, { orderId, selectedAmount })).toEqual({ success: true })
  expect((await booking(fixture)).state).toBe('confirmed')
})

test('a price that differs from ours opens no checkout', async () => {
  await using fixture = await makePaymentFixture()
  const hold = await fixture.hold()
  const shown = { ...hold.fees.first_visit, minor: 1 }
  await expect(
    startCard(fixture.patient, {
      holdId: hold.id,
      typeOfVisit: 'first_visit',
      purposeForVisit: 'A cough that will not go away',
      shown,
    }),
  ).rejects.toMatchObject({ code: 'price_changed' })
  expect(fixture.sandbox.sandbox.ctx.store.list('session')).toEqual([])
})

test('somebody else’s return page reads the gateway only now and then', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  const { stripe } = fixture.testApp.services.gateways
  let asked = 0
  fixture.testApp.services.gateways.stripe = {
    ...stripe,
    read: (names) => {
      asked += 1
      return stripe.read(names)
    },
  }
  const look = () => readReturn(fixture.testApp.context(), { session_id: session })
  fixture.testApp.advance(MINUTE)
  for (let count = 0; count < 20; count += 1) expect((await look()).status).toBe('open')
  expect(asked).toBe(1)
  // A patient who paid and returned in another browser still sees it soon.
  fixture.sandbox.payByCard(session)
  fixture.testApp.advance(5_000)
  expect((await look()).status).toBe('complete')
  fixture.testApp.advance(MINUTE)
  for (let count = 0; count < 20; count += 1) expect((await look()).status).toBe('complete')
  expect(asked).toBe(2)
})

test('while the gateway cannot be read, a payment is not called failed', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  fixture.sandbox.payByCard(session)
  await fixture.sandbox.away('stripe')
  fixture.testApp.advance(MINUTE)
  for (const who of [fixture.patient, fixture.testApp.context()]) {
    const answer = await readReturn(who, { session_id: session })
    expect(answer).toMatchObject({ status: 'processing', hold: null })
  }
  await fixture.sandbox.away('stripe', false)
  expect((await readReturn(fixture.patient, { session_id: session })).status).toBe('complete')
})

test('34: a booked visit stays booked, whatever its session reports later', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  fixture.sandbox.payByCard(session)
  expect((await readReturn(fixture.patient, { session_id: session })).status).toBe('complete')
  fixture.testApp.advance(60 * MINUTE)
  await sweepHolds(fixture.testApp.services)
  await reconcile(fixture.testApp.services)
  expect((await booking(fixture)).state).toBe('confirmed')
  expect((await payment(fixture)).state).toBe('paid')
})

test('34: a payment for a time that went to somebody else is refunded once, with an email', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  const first = await payment(fixture)
  fixture.testApp.advance(16 * MINUTE)
  await sweepHolds(fixture.testApp.services)
  await fixture.hold(fixture.stranger)
  // As if the gateway had taken the money anyway.
  const { store } = fixture.sandbox.sandbox.ctx
  const closed = store.find('session', session)
  if (closed === undefined) throw new Error('The session is gone.')
  store.put('session', { ...closed, status: 'open' })
  fixture.sandbox.payByCard(session)
  fixture.testApp.advance(11 * MINUTE)
  await reconcile(fixture.testApp.services)
  for (let round = 0; round < 3; round += 1) {
    await runRefunds(fixture.testApp.services)
    fixture.testApp.advance(11 * MINUTE)
  }
  await fixture.testApp.drainOutbox()
  expect(store.list('refund').map(({ amount }) => amount)).toEqual([first.amount_minor])
  const after = await fixture.testApp.database.db
    .selectFrom('payments')
    .select('state')
    .where('no', '=', first.no)
    .executeTakeFirstOrThrow()
  expect(after.state).toBe('refunded')
  const emails = fixture.testApp.mails.filter(({ subject }) =>
    subject.startsWith('We’ve refunded £'),
  )
  expect(emails).toHaveLength(1)
})

test('35: a wrong amount paid books nothing and notifies staff', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  const { store } = fixture.sandbox.sandbox.ctx
  const opened = store.find('session', session)
  if (opened === undefined) throw new Error('The session is gone.')
  store.put('session', { ...opened, amount: opened.amount - 100 })
  fixture.sandbox.payByCard(session)
  expect((await readReturn(fixture.patient, { session_id: session })).status).toBe('failed')
  expect((await payment(fixture)).state).toBe('review')
  expect((await booking(fixture)).state).toBe('held')
  await fixture.testApp.drainOutbox()
  expect(fixture.testApp.mails.map(({ subject }) => subject)).toContain(
    'A payment doesn’t match what we asked for',
  )
})

test('37: others’ orders are not found, and their return pages show only a status', async () => {
  await using fixture = await makePaymentFixture()
  const hold = await fixture.hold()
  const session = await fixture.card(hold)
  fixture.sandbox.payByCard(session)
  fixture.testApp.advance(5_000)
  expect(await readReturn(fixture.stranger, { session_id: session })).toEqual({
    status: 'complete',
    reason: null,
    customer_email: null,
    visit: null,
    hold: null,
  })
  await expect(readStatus(fixture.stranger, { orderId: session })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(capture(fixture.stranger, { orderId: session })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await readStatus(fixture.patient, { orderId: session })).toMatchObject({
    status: 'COMPLETED',
    visitId: hold.id,
  })
})

test('an event that the life cycle does not have in a state is refused, and changes nothing', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  fixture.sandbox.payByCard(session)
  fixture.testApp.advance(MINUTE)
  await readReturn(fixture.patient, { session_id: session })
  const { no, state } = await payment(fixture)
  expect(state).toBe('paid')
  const { db } = fixture.testApp.database
  for (const event of ['book', 'expire', 'decline', 'accept', 'pay_back'] as const) {
    await expect(advance(db, no, { event, now: 0 })).rejects.toThrow('is in no state to')
  }
  await setPaidBack(db, no, 0)
  expect((await payment(fixture)).state).toBe('paid')
})
