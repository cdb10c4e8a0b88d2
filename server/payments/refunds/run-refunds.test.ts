import { expect, test } from 'vitest'
import { Differences, REFUNDS_NOT_LISTED, Reviews } from '#contract/payments-review.ts'
import { parseJson } from '#db/columns.ts'
import { processEvents, reconcile } from '#server/payments/events/process-events.ts'
import { sweepHolds } from '#server/payments/paying/close-payment.ts'
import { reconcileGateways } from '#server/payments/reconciliation/reconcile-gateways.ts'
import {
  emailsToStaff,
  FEE,
  gatewayRefunds,
  makePaymentFixture,
  makeRefundable,
  payAtGateway,
  readStates,
  settlePayment,
} from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { runRefunds } from './run-refunds.ts'

const HOUR = 60 * 60_000

describeEngines('refunds with gateway failures, and disputes', (makeDatabase) => {
  const begin = async () => makePaymentFixture({ database: await makeDatabase() })

  test.each(['card', 'wallet'] as const)(
    'a late partial refund of a %s payment whose responses are lost happens once',
    async (by) => {
      await using fixture = await begin()
      const refundable = await makeRefundable(fixture, by)
      await refundable.failRefunds('late', 100)
      await refundable.refund(500)
      for (let round = 0; round < 8; round += 1) {
        fixture.testApp.advance(30_000)
        await runRefunds(fixture.testApp.services)
      }
      await fixture.sandbox.fail()
      await fixture.sandbox.executeLate()
      fixture.testApp.advance(HOUR)
      await runRefunds(fixture.testApp.services)
      expect(gatewayRefunds(fixture)).toEqual([500])
      expect((await readStates(fixture)).refunds).toEqual(['staff 500 done'])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a partial refund of a %s payment without a response is not sent twice after its key expires',
    async (by) => {
      await using fixture = await begin()
      const refundable = await makeRefundable(fixture, by)
      await refundable.failRefunds('drop_after', 3)
      await refundable.refund(500)
      // Down for so long that the gateways have dropped every idempotency key.
      fixture.testApp.advance(50 * 24 * HOUR)
      await fixture.sandbox.fail()
      await runRefunds(fixture.testApp.services)
      expect(gatewayRefunds(fixture)).toEqual([500])
      expect((await readStates(fixture)).refunds).toEqual(['staff 500 done'])
    },
  )

  test('a refund without a response that the bank returns afterwards is failed, not sent again', async () => {
    await using fixture = await begin()
    const { testApp, sandbox } = fixture
    const refundable = await makeRefundable(fixture, 'card', '4000 0000 0000 5126')
    await refundable.failRefunds('drop_after', 3)
    await refundable.refund(500)
    await sandbox.fail()
    testApp.advance(50 * 24 * HOUR)
    sandbox.sandbox.tick()
    await runRefunds(testApp.services)
    expect(gatewayRefunds(fixture)).toEqual([500])
    expect((await readStates(fixture)).refunds).toEqual(['staff 500 failed'])
    expect(await emailsToStaff(fixture)).toHaveLength(1)
  })

  test.each(['error_500_kept', 'error_500_kept_done'] as const)(
    '%s: a new key is used only once it is known that nothing was done',
    async (fault) => {
      await using fixture = await begin()
      const refundable = await makeRefundable(fixture, 'card')
      await refundable.failRefunds(fault, 1)
      await refundable.refund(500)
      for (let round = 0; round < 3; round += 1) {
        fixture.testApp.advance(HOUR)
        await runRefunds(fixture.testApp.services)
      }
      expect(gatewayRefunds(fixture)).toEqual([500])
      expect((await readStates(fixture)).refunds).toEqual(['staff 500 done'])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a permanently refused refund of a %s payment is in review at once, with the reason',
    async (by) => {
      await using fixture = await begin()
      const refundable = await makeRefundable(fixture, by)
      await refundable.failRefunds('refused', 9)
      await refundable.refund(FEE)
      const { data } = await refundable.admin.ask('payments.reviews', {})
      const [failed] = Reviews.parse(data).refunds
      expect(failed).toMatchObject({ amount: { minor: FEE, currency: 'GBP' } })
      expect(failed?.why).toMatch(by === 'card' ? /refund/i : /^REFUND_TIME_LIMIT_EXCEEDED$/)
      expect((await emailsToStaff(fixture)).join()).toContain('A refund was rejected permanently')
      // Someone refunds it by hand at the gateway, in place of the refund that failed.
      await fixture.sandbox.fail()
      await fixture.sandbox.refundByHand(
        fixture.sandbox.sandbox.ctx.store.list('charge')[0]?.intent ??
          fixture.sandbox.sandbox.ctx.store.list('capture')[0]?.id ??
          '',
      )
      await settlePayment(fixture, refundable.find)
      await runRefunds(fixture.testApp.services)
      expect((await readStates(fixture)).refunds).toEqual([`staff ${FEE} done`])
    },
  )

  test('a wallet refund whose order is gone is found under its key, and another one can follow', async () => {
    await using fixture = await begin()
    const refundable = await makeRefundable(fixture, 'wallet')
    await refundable.failRefunds('drop_after', 3)
    await refundable.refund(500, 1)
    await fixture.sandbox.fail()
    await fixture.sandbox.forget((await refundable.find())?.gw_session ?? '')
    fixture.testApp.advance(60_000)
    await runRefunds(fixture.testApp.services)
    await refundable.refund(700, 2)
    expect(gatewayRefunds(fixture)).toEqual([500, 700])
    expect((await readStates(fixture)).refunds).toEqual(['staff 500 done', 'staff 700 done'])
  })

  test('once the key has expired too, a refund that cannot be found is left to staff', async () => {
    await using fixture = await begin()
    const refundable = await makeRefundable(fixture, 'wallet')
    await refundable.failRefunds('drop_after', 3)
    await refundable.refund(500)
    await fixture.sandbox.fail()
    await fixture.sandbox.forget((await refundable.find())?.gw_session ?? '')
    fixture.testApp.advance(50 * 24 * HOUR)
    await runRefunds(fixture.testApp.services)
    expect(gatewayRefunds(fixture)).toEqual([500])
    expect((await readStates(fixture)).refunds).toEqual(['staff 500 failed'])
    expect(await emailsToStaff(fixture)).toHaveLength(1)
  })

  test('a refused refund that may have been paid before, and is not listed, is left to staff', async () => {
    await using fixture = await begin()
    const refundable = await makeRefundable(fixture, 'wallet')
    await refundable.failRefunds('drop_after', 3)
    await refundable.refund(500)
    await fixture.sandbox.forget((await refundable.find())?.gw_session ?? '')
    await fixture.sandbox.fail()
    await refundable.failRefunds('refused', 9)
    fixture.testApp.advance(60_000)
    await runRefunds(fixture.testApp.services)
    expect(gatewayRefunds(fixture)).toEqual([500])
    const { data } = await refundable.admin.ask('payments.reviews', {})
    expect(Reviews.parse(data).refunds).toMatchObject([{ why: REFUNDS_NOT_LISTED }])
    expect(await emailsToStaff(fixture)).toHaveLength(1)
  })

  test('a partial refund does not resolve a failed one', async () => {
    await using fixture = await begin()
    const refundable = await makeRefundable(fixture, 'card')
    const waiting = async () => (await refundable.admin.ask('payments.reviewCount', {})).data
    await refundable.failRefunds('refused', 1)
    await refundable.refund(FEE, 1)
    await refundable.refund(500, 2)
    expect(await waiting()).toMatchObject({ refunds: 1 })
    expect(gatewayRefunds(fixture)).toEqual([500])
  })

  test('a refund resolves only as many failed ones as it covers together, oldest first', async () => {
    await using fixture = await begin()
    const { admin, failRefunds, refund } = await makeRefundable(fixture, 'card')
    const failed = async () =>
      Reviews.parse((await admin.ask('payments.reviews', {})).data).refunds.map(
        ({ amount }) => amount.minor,
      )
    await failRefunds('refused', 2)
    await refund(2_000, 1)
    fixture.testApp.advance(1_000)
    await refund(1_500, 2)
    await refund(3_000, 3)
    expect(await failed()).toEqual([1_500])
  })

  test('a failed refund cannot be marked as refunded beyond what is left, and is resolved once nothing is', async () => {
    await using fixture = await begin()
    const refundable = await makeRefundable(fixture, 'card')
    const { admin, refund } = refundable
    const waiting = async () => (await admin.ask('payments.reviewCount', {})).data
    await refundable.failRefunds('refused', 1)
    await refund(FEE, 1)
    await refund(FEE / 2, 2)
    const [failed] = Reviews.parse((await admin.ask('payments.reviews', {})).data).refunds
    const byHand = { refundId: failed?.refundId, reason: 'Paid to their bank account.' }
    expect(await admin.act('payments.settleRefund', byHand)).toMatchObject({
      code: 'refund_too_much',
      message: 'You can refund up to £30.00. Someone may have refunded part of it already.',
    })
    expect(await waiting()).toMatchObject({ refunds: 1 })
    await refund(FEE / 2, 3)
    expect(await waiting()).toMatchObject({ refunds: 0 })
    expect(gatewayRefunds(fixture)).toEqual([FEE / 2, FEE / 2])
  })

  test.each(['card', 'wallet'] as const)(
    'staff are notified at once of a dispute of a %s payment, and of its result',
    async (by) => {
      await using fixture = await makePaymentFixture({
        database: await makeDatabase(),
        deliversWebhooks: true,
      })
      const { find, money } = await payAtGateway(fixture, by)
      await settlePayment(fixture, find)
      const id = await fixture.sandbox.dispute(money)
      await fixture.sandbox.deliverDue()
      await processEvents(fixture.testApp.services)
      const admin = await signInDemoStaff(fixture.testApp, 'admin')
      const list = async () =>
        Differences.parse((await admin.ask('payments.differences', { show: 'open' })).data)
      expect(await list()).toMatchObject({
        differences: [{ kind: 'dispute', object: id, amount: { minor: FEE, currency: 'GBP' } }],
      })
      const [first] = await emailsToStaff(fixture)
      expect(first).toContain('The patient disputes this payment')
      expect(first).toMatch(/fraudulent, needs_response|UNAUTHORISED/)
      await fixture.sandbox.closeDispute(id, 'lost')
      fixture.testApp.advance(1_000)
      await fixture.sandbox.deliverDue()
      await processEvents(fixture.testApp.services)
      const emails = await emailsToStaff(fixture)
      expect(emails).toHaveLength(2)
      expect(emails[1]).toMatch(/lost|RESOLVED/)
      // The daily reconciliation reports nothing new.
      await reconcileGateways(fixture.testApp.services)
      expect(await emailsToStaff(fixture)).toHaveLength(2)
    },
  )

  test.each(['card', 'wallet'] as const)(
    'the daily reconciliation notifies staff of a dispute of a %s payment whose event was lost',
    async (by) => {
      await using fixture = await makePaymentFixture({ database: await makeDatabase() })
      const { find, money } = await payAtGateway(fixture, by)
      await settlePayment(fixture, find)
      await reconcileGateways(fixture.testApp.services)
      fixture.testApp.advance(24 * 60 * 60_000)
      const id = await fixture.sandbox.dispute(money)
      await reconcileGateways(fixture.testApp.services)
      const { object, kind, payment_no } = await fixture.testApp.database.db
        .selectFrom('payment_differences')
        .selectAll()
        .executeTakeFirstOrThrow()
      expect([object, kind, payment_no]).toEqual([id, 'dispute', (await find())?.no])
      expect(await emailsToStaff(fixture)).toEqual([
        expect.stringContaining('disputes this payment'),
      ])
    },
  )
})

const MINUTE = 60_000

describeEngines('money refunded at the gateway', (makeDatabase) => {
  const begin = async () => makePaymentFixture({ database: await makeDatabase() })

  test.each(['card', 'wallet'] as const)(
    'all of a %s payment, before we settled: no visit, and the time is free',
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
    'a part of a %s payment, before we settled: no visit, and the rest is refunded',
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
      await fixture.testApp.drainOutbox()
      const email = fixture.testApp.mails.find(({ subject }) =>
        subject.startsWith('We’ve refunded'),
      )
      expect(email?.text).toContain('Part of this payment had already been refunded')
      expect(email?.text).not.toContain('full refund')
      expect(gatewayRefunds(fixture)).toEqual([1_000, 5_000])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'half of a %s payment, before we settled: the other half is refunded too',
    async (by) => {
      await using fixture = await begin()
      const { find, money } = await payAtGateway(fixture, by)
      await fixture.sandbox.refundByHand(money, FEE / 2)
      await settlePayment(fixture, find)
      await runRefunds(fixture.testApp.services)
      expect(await readStates(fixture)).toMatchObject({
        payment: 'refunded',
        refunds: [`gateway ${FEE / 2} done`, `slot_lost ${FEE / 2} done`],
      })
      expect(gatewayRefunds(fixture)).toEqual([FEE / 2, FEE / 2])
    },
  )

  test.each([
    ['a part', [2_000], ['gateway 1000 done', 'gateway 2000 done', 'slot_lost 3000 done'], [3_000]],
    [
      'all',
      [2_000, 3_000],
      ['gateway 1000 done', 'gateway 2000 done', 'gateway 3000 done', 'slot_lost 5000 failed'],
      [],
    ],
  ])(
    '%s of what we were about to refund: the patient gets no more than they paid',
    async (_, byHand, refunds, sent) => {
      await using fixture = await begin()
      const { find, money } = await payAtGateway(fixture, 'card')
      await fixture.sandbox.refundByHand(money, 1_000)
      await settlePayment(fixture, find)
      expect((await readStates(fixture)).refunds).toContain('slot_lost 5000 due')
      for (const minor of byHand) await fixture.sandbox.refundByHand(money, minor)
      await runRefunds(fixture.testApp.services)
      expect(await readStates(fixture)).toMatchObject({ payment: 'refunded', refunds })
      const audited = await fixture.testApp.database.db
        .selectFrom('audit')
        .select('details')
        .where('action', '=', 'payment.refunded')
        .execute()
      expect(audited.map(({ details }) => parseJson(details)['amount'])).toEqual(sent)
      // It needs no one's attention.
      expect(await emailsToStaff(fixture)).toEqual([])
      const admin = await signInDemoStaff(fixture.testApp, 'admin')
      expect((await admin.ask('payments.reviewCount', {})).data).toMatchObject({ refunds: 0 })
    },
  )

  test.each(['card', 'wallet'] as const)(
    'of a visit booked by %s: staff are notified at once, and can refund no more than is left',
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
      const [email, ...more] = await emailsToStaff(fixture)
      expect(email).toContain('Refunded at the gateway, not by us')
      expect(email).toContain('25.00 GBP')
      expect(email).toContain(id)
      expect(more).toEqual([])
      await reconcileGateways(fixture.testApp.services)
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

  test('nothing is refunded at the gateway: nobody is notified', async () => {
    await using fixture = await begin()
    const { find } = await payAtGateway(fixture, 'card')
    await settlePayment(fixture, find)
    await reconcile(fixture.testApp.services)
    await reconcileGateways(fixture.testApp.services)
    expect(await emailsToStaff(fixture)).toEqual([])
  })
})
