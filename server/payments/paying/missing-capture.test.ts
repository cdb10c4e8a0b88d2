import { expect, test } from 'vitest'
import { compareBooks } from '#server/payments/books/compare-books.ts'
import { processEvents } from '#server/payments/events/process-events.ts'
import { reconcile } from '#server/payments/events/reconcile.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { capture } from './capture.ts'
import { readStatus } from './read-payment.ts'
import { sweepHolds } from './sweep-holds.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

async function readStates({ testApp: { database } }: PaymentFixture) {
  const { state } = await database.db
    .selectFrom('payments')
    .select('state')
    .executeTakeFirstOrThrow()
  const booking = await database.db.selectFrom('bookings').select('state').executeTakeFirstOrThrow()
  return [booking.state, state]
}

const captures = ({ sandbox }: PaymentFixture) => sandbox.sandbox.ctx.store.list('capture')

async function decideCapture(fixture: PaymentFixture, decision: 'COMPLETED' | 'DECLINED') {
  const [taken] = captures(fixture)
  await fixture.sandbox.tell({ do: 'decide', capture: taken?.id ?? '', decision })
}

describeEngines('a capture PayPal says little of', (makeDatabase) => {
  const begin = async (hears = false) =>
    makePaymentFixture({ database: await makeDatabase(), deliversWebhooks: hears })

  test('pending, and then its order is gone: the capture itself is asked, and books the visit', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId, 'pending_complete')
    await capture(fixture.patient, { orderId })
    await fixture.sandbox.forget(orderId)
    fixture.testApp.advance(2 * MINUTE)
    await reconcile(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['held', 'capturing'])
    await decideCapture(fixture, 'COMPLETED')
    fixture.testApp.advance(2 * MINUTE)
    await reconcile(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['confirmed', 'paid'])
  })

  test('pending, its order gone, and declined in the end: the time is free', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId, 'pending_deny')
    await capture(fixture.patient, { orderId })
    await fixture.sandbox.forget(orderId)
    await decideCapture(fixture, 'DECLINED')
    fixture.testApp.advance(16 * MINUTE)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'failed'])
  })

  test('never answered, and its order gone: a late event brings the money back, and staff know', async () => {
    await using fixture = await begin(true)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId, 'pending_complete')
    await fixture.sandbox.fail(
      { path: '*/capture', fault: 'drop_after', times: 3 },
      { path: '/v2/checkout/orders/', method: 'GET', fault: 'drop_before', times: 9 },
    )
    await capture(fixture.patient, { orderId })
    await fixture.sandbox.forget(orderId)
    const rules = { path: '*/capture', fault: 'not_found_404' as const, times: 100 }
    await fixture.sandbox.fail(rules)
    fixture.testApp.advance(HOUR)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'abandoned'])
    const { db } = fixture.testApp.database
    const differences = await db.selectFrom('payment_differences').select('kind').execute()
    expect(differences).toEqual([{ kind: 'no_answer' }])
    await decideCapture(fixture, 'COMPLETED')
    await fixture.sandbox.deliverDue()
    await processEvents(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'refunded'])
    expect(fixture.sandbox.sandbox.ctx.store.list('walletRefund')).toHaveLength(1)
  })

  test('an order that leaves its payments out: under the key PayPal says what it did', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    const silent = { path: '/v2/checkout/orders/', method: 'GET' as const, times: 1_000 }
    await fixture.sandbox.fail(
      { path: '*/capture', fault: 'drop_after', times: 3 },
      { ...silent, fault: 'without_payments' },
    )
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(MINUTE)
    expect(await readStatus(fixture.patient, { orderId })).toMatchObject({ status: 'COMPLETED' })
    expect(await readStates(fixture)).toEqual(['confirmed', 'paid'])
    expect(captures(fixture)).toHaveLength(1)
  })

  test('an order that never says it: staff decide, and the time is free again', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    const times = 1_000
    await fixture.sandbox.fail(
      { path: '*/capture', fault: 'drop_after', times: 3 },
      { path: '*/capture', fault: 'drop_before', times },
      { path: '/v2/checkout/orders/', method: 'GET', fault: 'without_payments', times },
    )
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(HOUR)
    await sweepHolds(fixture.testApp.services)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'review'])
  })

  test.each([undefined, 1_000])(
    'refunded at PayPal (%s) after its order was gone: the daily comparison tells staff',
    async (minor) => {
      await using fixture = await begin()
      const orderId = await fixture.wallet(await fixture.hold())
      fixture.sandbox.approve(orderId)
      await capture(fixture.patient, { orderId })
      await fixture.sandbox.forget(orderId)
      await fixture.sandbox.refundByHand(captures(fixture)[0]?.id ?? '', minor)
      await compareBooks(fixture.testApp.services)
      const { db } = fixture.testApp.database
      const [found] = await db.selectFrom('payment_differences').selectAll().execute()
      expect(found).toMatchObject({ kind: 'refund_unknown', object: captures(fixture)[0]?.id })
      expect(found?.details).toMatch(minor === undefined ? /all/ : /a part/)
      await fixture.testApp.drainOutbox()
      const told = fixture.testApp.mails.filter(({ subject }) => /match/.test(subject))
      expect(told).toHaveLength(1)
    },
  )

  test('the daily comparison finds a charge of a payment that ended, though its order is gone', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId, 'pending_complete')
    await capture(fixture.patient, { orderId })
    await fixture.sandbox.forget(orderId)
    await decideCapture(fixture, 'COMPLETED')
    // As if the capture had been given up and its event lost.
    const { db } = fixture.testApp.database
    await db.updateTable('payments').set({ state: 'abandoned' }).execute()
    fixture.testApp.advance(DAY + HOUR)
    await sweepHolds(fixture.testApp.services)
    await compareBooks(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'refunded'])
  })
})
