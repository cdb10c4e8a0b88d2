import { expect, test } from 'vitest'
import { compareBooks } from '#server/payments/books/compare-books.ts'
import { reconcile } from '#server/payments/events/reconcile.ts'
import { sweepHolds } from '#server/payments/paying/sweep-holds.ts'
import { makePaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import {
  emailsToStaff,
  FEE,
  gatewayRefunds,
  payAtGateway,
  readStates,
  settlePayment,
} from '#tests/harness/unrecorded-payment.ts'
import { runRefunds } from './run-refunds.ts'

const MINUTE = 60_000

describeEngines('money that went back at the gateway', (makeDatabase) => {
  const begin = async () => makePaymentFixture({ database: await makeDatabase() })

  test.each(['card', 'wallet'] as const)(
    'all of a %s’s, before we settled: no visit, and the time is free',
    async (by) => {
      await using fixture = await begin()
      const { find, money } = await payAtGateway(fixture, by)
      await fixture.sandbox.refundByHand(money)
      await settlePayment(fixture, find)
      fixture.testApp.advance(16 * MINUTE)
      await sweepHolds(fixture.testApp.services)
      await runRefunds(fixture.testApp.services)
      expect(await readStates(fixture)).toEqual({
        payment: 'refunded',
        booking: 'released',
        refunds: [`gateway ${FEE} done`],
      })
      expect(gatewayRefunds(fixture)).toEqual([FEE])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a part of a %s’s, before we settled: no visit, and the rest follows',
    async (by) => {
      await using fixture = await begin()
      const { find, money } = await payAtGateway(fixture, by)
      await fixture.sandbox.refundByHand(money, 1_000)
      await settlePayment(fixture, find)
      await runRefunds(fixture.testApp.services)
      expect(await readStates(fixture)).toMatchObject({
        payment: 'refunded',
        refunds: ['gateway 1000 done', 'slot_lost 5000 done'],
      })
      expect(gatewayRefunds(fixture)).toEqual([1_000, 5_000])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'of a visit booked by %s: staff are told at once, and can give back no more than is left',
    async (by) => {
      await using fixture = await begin()
      const { find, money } = await payAtGateway(fixture, by)
      await settlePayment(fixture, find)
      await fixture.testApp.drainOutbox()
      const id = await fixture.sandbox.refundByHand(money, 2_500)
      await settlePayment(fixture, find)
      expect(await readStates(fixture)).toMatchObject({
        payment: 'paid',
        booking: 'confirmed',
        refunds: ['gateway 2500 done'],
      })
      const [told, ...more] = await emailsToStaff(fixture)
      expect(told).toContain('Refunded at the gateway, not by us')
      expect(told).toContain('25.00 GBP')
      expect(told).toContain(id)
      expect(more).toEqual([])
      await compareBooks(fixture.testApp.services)
      expect(await emailsToStaff(fixture)).toHaveLength(1)
      const admin = await signInDemoStaff(fixture.testApp, 'admin')
      const input = { reason: 'The rest.', key: '0b8f7c3e-5a44-4f0e-9d57-000000000001' }
      const { id: paymentId } = (await find()) ?? { id: '' }
      expect(
        await admin.act('payments.refund', { ...input, paymentId, minor: 3_501 }),
      ).toMatchObject({ code: 'refund_too_much' })
      expect((await admin.act('payments.refund', { ...input, paymentId, minor: 3_500 })).code).toBe(
        null,
      )
      expect(gatewayRefunds(fixture)).toEqual([2_500, 3_500])
    },
  )

  test('nothing is refunded at the gateway: nobody is told anything', async () => {
    await using fixture = await begin()
    const { find } = await payAtGateway(fixture, 'card')
    await settlePayment(fixture, find)
    await reconcile(fixture.testApp.services)
    await compareBooks(fixture.testApp.services)
    expect(await emailsToStaff(fixture)).toEqual([])
  })
})
