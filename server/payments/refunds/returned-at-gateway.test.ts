import { expect, test } from 'vitest'
import { compareBooks } from '#server/payments/books/compare-books.ts'
import { reconcile } from '#server/payments/events/reconcile.ts'
import { sweepHolds } from '#server/payments/paying/sweep-holds.ts'
import { makeTill } from '#tests/harness/paying.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { enterStaff } from '#tests/harness/staff.ts'
import { books, FEE, sentBack, settled, take, toStaff } from '#tests/harness/taken.ts'
import { runRefunds } from './run-refunds.ts'

const MINUTE = 60_000

describeEngines('money that went back at the gateway', (makeDatabase) => {
  const begin = async () => makeTill({ database: await makeDatabase() })

  test.each(['card', 'wallet'] as const)(
    'all of a %s’s, before we settled: no visit, and the time is free',
    async (by) => {
      await using till = await begin()
      const { find, money } = await take(till, by)
      await till.sandbox.refundByHand(money)
      await settled(till, find)
      till.testApp.advance(16 * MINUTE)
      await sweepHolds(till.testApp.services)
      await runRefunds(till.testApp.services)
      expect(await books(till)).toEqual({
        payment: 'refunded',
        booking: 'released',
        refunds: [`gateway ${FEE} done`],
      })
      expect(sentBack(till)).toEqual([FEE])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a part of a %s’s, before we settled: no visit, and the rest follows',
    async (by) => {
      await using till = await begin()
      const { find, money } = await take(till, by)
      await till.sandbox.refundByHand(money, 1_000)
      await settled(till, find)
      await runRefunds(till.testApp.services)
      expect(await books(till)).toMatchObject({
        payment: 'refunded',
        refunds: ['gateway 1000 done', 'slot_lost 5000 done'],
      })
      expect(sentBack(till)).toEqual([1_000, 5_000])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'of a visit booked by %s: staff are told at once, and can give back no more than is left',
    async (by) => {
      await using till = await begin()
      const { find, money } = await take(till, by)
      await settled(till, find)
      await till.testApp.drainOutbox()
      const id = await till.sandbox.refundByHand(money, 2_500)
      await settled(till, find)
      expect(await books(till)).toMatchObject({
        payment: 'paid',
        booking: 'confirmed',
        refunds: ['gateway 2500 done'],
      })
      const [told, ...more] = await toStaff(till)
      expect(told).toContain('Refunded at the gateway, not by us')
      expect(told).toContain('25.00 GBP')
      expect(told).toContain(id)
      expect(more).toEqual([])
      await compareBooks(till.testApp.services)
      expect(await toStaff(till)).toHaveLength(1)
      const admin = await enterStaff(till.testApp, 'admin')
      const input = { reason: 'The rest.', key: '0b8f7c3e-5a44-4f0e-9d57-000000000001' }
      const { id: paymentId } = (await find()) ?? { id: '' }
      expect(
        await admin.act('payments.refund', { ...input, paymentId, minor: 3_501 }),
      ).toMatchObject({ code: 'refund_too_much' })
      expect((await admin.act('payments.refund', { ...input, paymentId, minor: 3_500 })).code).toBe(
        null,
      )
      expect(sentBack(till)).toEqual([2_500, 3_500])
    },
  )

  test('nothing is refunded at the gateway: nobody is told anything', async () => {
    await using till = await begin()
    const { find } = await take(till, 'card')
    await settled(till, find)
    await reconcile(till.testApp.services)
    await compareBooks(till.testApp.services)
    expect(await toStaff(till)).toEqual([])
  })
})
