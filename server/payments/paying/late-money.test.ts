import { expect, test } from 'vitest'
import { renewHold } from '#server/booking/hold/renew-hold.ts'
import { reconcile } from '#server/payments/events/reconcile.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { capture } from './capture.ts'
import { readReturn } from './read-payment.ts'
import { sweepHolds } from './sweep-holds.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function states({ testApp: { database } }: PaymentFixture) {
  const booking = await database.db.selectFrom('bookings').select('state').executeTakeFirstOrThrow()
  const payment = await database.db.selectFrom('payments').select('state').executeTakeFirstOrThrow()
  return [booking.state, payment.state]
}

/** Subjects of the emails to the patient. */
async function subjects({ testApp }: PaymentFixture): Promise<string[]> {
  await testApp.drainOutbox()
  return testApp.mails.map(({ subject }) => subject)
}

describeEngines('money and the clock of the visit', (makeDatabase) => {
  const begin = async (startsIn: number) =>
    makePaymentFixture({ database: await makeDatabase(), startsIn })

  test('a visit about to begin cannot be held, and a hold ends five minutes before the start', async () => {
    await using soon = await begin(5 * MINUTE)
    await expect(soon.hold()).rejects.toMatchObject({ code: 'slot_not_offered' })
    await using later = await begin(12 * MINUTE)
    const hold = await later.hold()
    expect(Date.parse(hold.holdUntil) - later.testApp.services.now()).toBe(7 * MINUTE)
    expect(hold.canRenew).toBe(false)
    await expect(renewHold(later.patient, { holdId: hold.id })).rejects.toMatchObject({
      code: 'hold_renewed',
    })
  })

  test('renewing keeps a time no longer than it may be paid for', async () => {
    await using fixture = await begin(30 * MINUTE)
    const hold = await fixture.hold()
    expect(hold.canRenew).toBe(true)
    const renewed = await renewHold(fixture.patient, { holdId: hold.id })
    expect(Date.parse(renewed.holdUntil) - fixture.testApp.services.now()).toBe(25 * MINUTE)
  })

  test('nobody begins to pay, or captures, once the time to pay is over', async () => {
    await using fixture = await begin(12 * MINUTE)
    const hold = await fixture.hold()
    const orderId = await fixture.wallet(hold)
    fixture.sandbox.approve(orderId)
    fixture.testApp.advance(8 * MINUTE)
    expect(await capture(fixture.patient, { orderId })).toEqual({ success: false })
    await expect(fixture.card(hold)).rejects.toMatchObject({ code: 'hold_expired' })
    expect(fixture.sandbox.sandbox.ctx.store.list('capture')).toEqual([])
  })

  test('paid in the open frame, heard of after the start: it goes back, with an email', async () => {
    await using fixture = await begin(12 * MINUTE)
    const session = await fixture.card(await fixture.hold())
    fixture.sandbox.payByCard(session)
    fixture.testApp.advance(13 * MINUTE)
    expect((await readReturn(fixture.patient, { session_id: session })).status).toBe('failed')
    await runRefunds(fixture.testApp.services)
    await sweepHolds(fixture.testApp.services)
    expect(await states(fixture)).toEqual(['released', 'refunded'])
    expect(fixture.sandbox.sandbox.ctx.store.list('refund')).toHaveLength(1)
    expect(await subjects(fixture)).toContain('We’ve refunded £60.00')
    expect(await subjects(fixture)).not.toContain(expect.stringContaining('booked'))
  })

  test('a wallet away for four hours is asked for nothing after the visit, and the patient is told', async () => {
    await using fixture = await begin(HOUR)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    await fixture.sandbox.away('paypal')
    expect(await capture(fixture.patient, { orderId })).toEqual({ success: true })
    fixture.testApp.advance(4 * HOUR)
    await fixture.sandbox.away('paypal', false)
    await reconcile(fixture.testApp.services)
    await sweepHolds(fixture.testApp.services)
    expect(await states(fixture)).toEqual(['released', 'abandoned'])
    expect(fixture.sandbox.sandbox.ctx.store.list('capture')).toEqual([])
    expect(await subjects(fixture)).toEqual(['Your payment didn’t go through'])
  })

  test('nobody is charged hours after they approved, also when the visit is still to come', async () => {
    await using fixture = await begin(72 * HOUR)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    await fixture.sandbox.away('paypal')
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(HOUR)
    await fixture.sandbox.away('paypal', false)
    await sweepHolds(fixture.testApp.services)
    expect(await states(fixture)).toEqual(['released', 'abandoned'])
  })

  test('a capture that was executed and not answered is found, and books while there is time', async () => {
    await using fixture = await begin(HOUR)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    const lost = { path: '*/capture', fault: 'drop_after' as const, times: 3 }
    const unread = { path: `/v2/checkout/orders/${orderId}`, method: 'GET' as const, times: 3 }
    await fixture.sandbox.fail(lost, { ...unread, fault: 'drop_before' })
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(2 * MINUTE)
    await reconcile(fixture.testApp.services)
    expect(await states(fixture)).toEqual(['confirmed', 'paid'])
  })

  test('captured in the last moment and found after the start: it goes back', async () => {
    await using fixture = await begin(HOUR)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    const late = { path: '*/capture', fault: 'late' as const, times: 3 }
    const unread = { path: '/v2/checkout/orders/', method: 'GET' as const, times: 100 }
    await fixture.sandbox.fail(late, { ...unread, fault: 'drop_before' })
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(2 * HOUR)
    await fixture.sandbox.fail()
    await fixture.sandbox.executeLate()
    await reconcile(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    await sweepHolds(fixture.testApp.services)
    expect(await states(fixture)).toEqual(['released', 'refunded'])
  })
})
