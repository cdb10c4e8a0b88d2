import { expect, test } from 'vitest'
import { Differences, REFUNDS_NOT_LISTED, Reviews } from '#contract/payments-review.ts'
import { compareBooks } from '#server/payments/books/compare-books.ts'
import { processEvents } from '#server/payments/events/process-events.ts'
import { makeTill } from '#tests/harness/paying.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { enterStaff } from '#tests/harness/staff.ts'
import {
  books,
  FEE,
  makeRefundable,
  sentBack,
  settled,
  take,
  toStaff,
} from '#tests/harness/taken.ts'
import { runRefunds } from './run-refunds.ts'

const HOUR = 60 * 60_000

describeEngines('refunds a gateway answers badly, and disputes', (makeDatabase) => {
  const begin = async () => makeTill({ database: await makeDatabase() })

  test.each(['card', 'wallet'] as const)(
    'a refund of a part of a %s’s whose answers are lost, and which runs late, happens once',
    async (by) => {
      await using till = await begin()
      const refundable = await makeRefundable(till, by)
      await refundable.failRefunds('late', 100)
      await refundable.refund(500)
      for (let round = 0; round < 8; round += 1) {
        till.testApp.advance(30_000)
        await runRefunds(till.testApp.services)
      }
      await till.sandbox.fail()
      await till.sandbox.executeLate()
      till.testApp.advance(HOUR)
      await runRefunds(till.testApp.services)
      expect(sentBack(till)).toEqual([500])
      expect((await books(till)).refunds).toEqual(['staff 500 done'])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a refund of a part of a %s’s that was not answered before its key was forgotten is not sent twice',
    async (by) => {
      await using till = await begin()
      const refundable = await makeRefundable(till, by)
      await refundable.failRefunds('drop_after', 3)
      await refundable.refund(500)
      // Down for so long that the gateways have dropped every idempotency key.
      till.testApp.advance(50 * 24 * HOUR)
      await till.sandbox.fail()
      await runRefunds(till.testApp.services)
      expect(sentBack(till)).toEqual([500])
      expect((await books(till)).refunds).toEqual(['staff 500 done'])
    },
  )

  test.each(['error_500_kept', 'error_500_kept_done'] as const)(
    '%s: another key follows only once it is known that nothing was done',
    async (fault) => {
      await using till = await begin()
      const refundable = await makeRefundable(till, 'card')
      await refundable.failRefunds(fault, 1)
      await refundable.refund(500)
      for (let round = 0; round < 3; round += 1) {
        till.testApp.advance(HOUR)
        await runRefunds(till.testApp.services)
      }
      expect(sentBack(till)).toEqual([500])
      expect((await books(till)).refunds).toEqual(['staff 500 done'])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a refund of a %s’s that is refused for good is in review at once, with the reason',
    async (by) => {
      await using till = await begin()
      const refundable = await makeRefundable(till, by)
      await refundable.failRefunds('refused', 9)
      await refundable.refund(FEE)
      const { data } = await refundable.admin.ask('payments.reviews', {})
      const [failed] = Reviews.parse(data).refunds
      expect(failed).toMatchObject({ amount: { minor: FEE, currency: 'GBP' } })
      expect(failed?.why).toMatch(by === 'card' ? /refund/i : /^REFUND_TIME_LIMIT_EXCEEDED$/)
      expect((await toStaff(till)).join()).toContain('A refund was rejected permanently')
      // Someone refunds it by hand at the gateway, in place of the refund that failed.
      await till.sandbox.fail()
      await till.sandbox.refundByHand(
        till.sandbox.sandbox.ctx.store.list('charge')[0]?.intent ??
          till.sandbox.sandbox.ctx.store.list('capture')[0]?.id ??
          '',
      )
      await settled(till, refundable.find)
      await runRefunds(till.testApp.services)
      expect((await books(till)).refunds).toEqual([`staff ${FEE} done`])
    },
  )

  test('a refund of a wallet’s whose order is gone is found under its key, and another one is given', async () => {
    await using till = await begin()
    const refundable = await makeRefundable(till, 'wallet')
    await refundable.failRefunds('drop_after', 3)
    await refundable.refund(500, 1)
    await till.sandbox.fail()
    await till.sandbox.forget((await refundable.find())?.gw_session ?? '')
    till.testApp.advance(60_000)
    await runRefunds(till.testApp.services)
    await refundable.refund(700, 2)
    expect(sentBack(till)).toEqual([500, 700])
    expect((await books(till)).refunds).toEqual(['staff 500 done', 'staff 700 done'])
  })

  test('once the key is forgotten as well, a refund nobody can find is for staff to pay', async () => {
    await using till = await begin()
    const refundable = await makeRefundable(till, 'wallet')
    await refundable.failRefunds('drop_after', 3)
    await refundable.refund(500)
    await till.sandbox.fail()
    await till.sandbox.forget((await refundable.find())?.gw_session ?? '')
    till.testApp.advance(50 * 24 * HOUR)
    await runRefunds(till.testApp.services)
    expect(sentBack(till)).toEqual([500])
    expect((await books(till)).refunds).toEqual(['staff 500 failed'])
    expect(await toStaff(till)).toHaveLength(1)
  })

  test('a refused refund that may have been paid before, and that nobody lists, is for staff to look up', async () => {
    await using till = await begin()
    const refundable = await makeRefundable(till, 'wallet')
    await refundable.failRefunds('drop_after', 3)
    await refundable.refund(500)
    await till.sandbox.forget((await refundable.find())?.gw_session ?? '')
    await till.sandbox.fail()
    await refundable.failRefunds('refused', 9)
    till.testApp.advance(60_000)
    await runRefunds(till.testApp.services)
    expect(sentBack(till)).toEqual([500])
    const { data } = await refundable.admin.ask('payments.reviews', {})
    expect(Reviews.parse(data).refunds).toMatchObject([{ why: REFUNDS_NOT_LISTED }])
    expect(await toStaff(till)).toHaveLength(1)
  })

  test('a refund of a part leaves the one that failed for staff to deal with', async () => {
    await using till = await begin()
    const refundable = await makeRefundable(till, 'card')
    const waiting = async () => (await refundable.admin.ask('payments.reviewCount', {})).data
    await refundable.failRefunds('refused', 1)
    await refundable.refund(FEE, 1)
    await refundable.refund(500, 2)
    expect(await waiting()).toMatchObject({ refunds: 1 })
    expect(sentBack(till)).toEqual([500])
  })

  test.each(['card', 'wallet'] as const)(
    'a dispute of a %s’s is told to staff at once, and how it ends, with what the gateway says',
    async (by) => {
      await using till = await makeTill({ database: await makeDatabase(), hears: true })
      const { find, money } = await take(till, by)
      await settled(till, find)
      const id = await till.sandbox.dispute(money)
      await till.sandbox.deliverDue()
      await processEvents(till.testApp.services)
      const admin = await enterStaff(till.testApp, 'admin')
      const list = async () =>
        Differences.parse((await admin.ask('payments.differences', { show: 'open' })).data)
      expect(await list()).toMatchObject({
        differences: [{ kind: 'dispute', object: id, amount: { minor: FEE, currency: 'GBP' } }],
      })
      const [first] = await toStaff(till)
      expect(first).toContain('The patient disputes this payment')
      expect(first).toMatch(/fraudulent, needs_response|UNAUTHORISED/)
      await till.sandbox.closeDispute(id, 'lost')
      till.testApp.advance(1_000)
      await till.sandbox.deliverDue()
      await processEvents(till.testApp.services)
      const told = await toStaff(till)
      expect(told).toHaveLength(2)
      expect(told[1]).toMatch(/lost|RESOLVED/)
      // The daily comparison reports nothing new.
      await compareBooks(till.testApp.services)
      expect(await toStaff(till)).toHaveLength(2)
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a dispute of a %s’s whose event never came is told to staff by the daily comparison',
    async (by) => {
      await using till = await makeTill({ database: await makeDatabase() })
      const { find, money } = await take(till, by)
      await settled(till, find)
      await compareBooks(till.testApp.services)
      till.testApp.advance(24 * 60 * 60_000)
      const id = await till.sandbox.dispute(money)
      await compareBooks(till.testApp.services)
      const { object, kind, payment_no } = await till.testApp.database.db
        .selectFrom('payment_differences')
        .selectAll()
        .executeTakeFirstOrThrow()
      expect([object, kind, payment_no]).toEqual([id, 'dispute', (await find())?.no])
      expect(await toStaff(till)).toEqual([expect.stringContaining('disputes this payment')])
    },
  )
})
