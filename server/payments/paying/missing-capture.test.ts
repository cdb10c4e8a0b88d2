import { expect, test } from 'vitest'
import { compareBooks } from '#server/payments/books/compare-books.ts'
import { processEvents } from '#server/payments/events/process-events.ts'
import { reconcile } from '#server/payments/events/reconcile.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makeTill, type Till } from '#tests/harness/paying.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { capture } from './capture.ts'
import { readStatus } from './read-payment.ts'
import { sweepHolds } from './sweep-holds.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

async function books({ testApp: { database } }: Till) {
  const { state } = await database.db
    .selectFrom('payments')
    .select('state')
    .executeTakeFirstOrThrow()
  const booking = await database.db.selectFrom('bookings').select('state').executeTakeFirstOrThrow()
  return [booking.state, state]
}

const captures = ({ sandbox }: Till) => sandbox.sandbox.ctx.store.list('capture')

async function decide(till: Till, decision: 'COMPLETED' | 'DECLINED') {
  const [taken] = captures(till)
  await till.sandbox.tell({ do: 'decide', capture: taken?.id ?? '', decision })
}

describeEngines('a capture PayPal says little of', (makeDatabase) => {
  const begin = async (hears = false) => makeTill({ database: await makeDatabase(), hears })

  test('pending, and then its order is gone: the capture itself is asked, and books the visit', async () => {
    await using till = await begin()
    const orderId = await till.wallet(await till.hold())
    till.sandbox.approve(orderId, 'pending_complete')
    await capture(till.patient, { orderId })
    await till.sandbox.forget(orderId)
    till.testApp.advance(2 * MINUTE)
    await reconcile(till.testApp.services)
    expect(await books(till)).toEqual(['held', 'capturing'])
    await decide(till, 'COMPLETED')
    till.testApp.advance(2 * MINUTE)
    await reconcile(till.testApp.services)
    expect(await books(till)).toEqual(['confirmed', 'paid'])
  })

  test('pending, its order gone, and declined in the end: the time is free', async () => {
    await using till = await begin()
    const orderId = await till.wallet(await till.hold())
    till.sandbox.approve(orderId, 'pending_deny')
    await capture(till.patient, { orderId })
    await till.sandbox.forget(orderId)
    await decide(till, 'DECLINED')
    till.testApp.advance(16 * MINUTE)
    await sweepHolds(till.testApp.services)
    expect(await books(till)).toEqual(['released', 'failed'])
  })

  test('never answered, and its order gone: a late event brings the money back, and staff know', async () => {
    await using till = await begin(true)
    const orderId = await till.wallet(await till.hold())
    till.sandbox.approve(orderId, 'pending_complete')
    await till.sandbox.fail(
      { path: '*/capture', fault: 'drop_after', times: 3 },
      { path: '/v2/checkout/orders/', method: 'GET', fault: 'drop_before', times: 9 },
    )
    await capture(till.patient, { orderId })
    await till.sandbox.forget(orderId)
    const rules = { path: '*/capture', fault: 'not_found_404' as const, times: 100 }
    await till.sandbox.fail(rules)
    till.testApp.advance(HOUR)
    await sweepHolds(till.testApp.services)
    expect(await books(till)).toEqual(['released', 'abandoned'])
    const { db } = till.testApp.database
    const differences = await db.selectFrom('payment_differences').select('kind').execute()
    expect(differences).toEqual([{ kind: 'no_answer' }])
    await decide(till, 'COMPLETED')
    await till.sandbox.deliverDue()
    await processEvents(till.testApp.services)
    await runRefunds(till.testApp.services)
    expect(await books(till)).toEqual(['released', 'refunded'])
    expect(till.sandbox.sandbox.ctx.store.list('walletRefund')).toHaveLength(1)
  })

  test('an order that leaves its payments out: under the key PayPal says what it did', async () => {
    await using till = await begin()
    const orderId = await till.wallet(await till.hold())
    till.sandbox.approve(orderId)
    const silent = { path: '/v2/checkout/orders/', method: 'GET' as const, times: 1_000 }
    await till.sandbox.fail(
      { path: '*/capture', fault: 'drop_after', times: 3 },
      { ...silent, fault: 'without_payments' },
    )
    await capture(till.patient, { orderId })
    till.testApp.advance(MINUTE)
    expect(await readStatus(till.patient, { orderId })).toMatchObject({ status: 'COMPLETED' })
    expect(await books(till)).toEqual(['confirmed', 'paid'])
    expect(captures(till)).toHaveLength(1)
  })

  test('an order that never says it: staff decide, and the time is free again', async () => {
    await using till = await begin()
    const orderId = await till.wallet(await till.hold())
    till.sandbox.approve(orderId)
    const times = 1_000
    await till.sandbox.fail(
      { path: '*/capture', fault: 'drop_after', times: 3 },
      { path: '*/capture', fault: 'drop_before', times },
      { path: '/v2/checkout/orders/', method: 'GET', fault: 'without_payments', times },
    )
    await capture(till.patient, { orderId })
    till.testApp.advance(HOUR)
    await sweepHolds(till.testApp.services)
    await sweepHolds(till.testApp.services)
    expect(await books(till)).toEqual(['released', 'review'])
  })

  test.each([undefined, 1_000])(
    'refunded at PayPal (%s) after its order was gone: the daily comparison tells staff',
    async (minor) => {
      await using till = await begin()
      const orderId = await till.wallet(await till.hold())
      till.sandbox.approve(orderId)
      await capture(till.patient, { orderId })
      await till.sandbox.forget(orderId)
      await till.sandbox.refundByHand(captures(till)[0]?.id ?? '', minor)
      await compareBooks(till.testApp.services)
      const { db } = till.testApp.database
      const [found] = await db.selectFrom('payment_differences').selectAll().execute()
      expect(found).toMatchObject({ kind: 'refund_unknown', object: captures(till)[0]?.id })
      expect(found?.details).toMatch(minor === undefined ? /all/ : /a part/)
      await till.testApp.drainOutbox()
      const told = till.testApp.mails.filter(({ subject }) => /match/.test(subject))
      expect(told).toHaveLength(1)
    },
  )

  test('the daily comparison finds a charge of a payment that ended, though its order is gone', async () => {
    await using till = await begin()
    const orderId = await till.wallet(await till.hold())
    till.sandbox.approve(orderId, 'pending_complete')
    await capture(till.patient, { orderId })
    await till.sandbox.forget(orderId)
    await decide(till, 'COMPLETED')
    // As if the capture had been given up and its event lost.
    const { db } = till.testApp.database
    await db.updateTable('payments').set({ state: 'abandoned' }).execute()
    till.testApp.advance(DAY + HOUR)
    await sweepHolds(till.testApp.services)
    await compareBooks(till.testApp.services)
    await runRefunds(till.testApp.services)
    expect(await books(till)).toEqual(['released', 'refunded'])
  })
})
