import { expect, test } from 'vitest'
import { Differences, Reviews } from '#contract/payments-review.ts'
import { describeEngines } from '#tests/harness/engines.ts'
import { makeTill, type Till } from '#tests/harness/paying.ts'
import { enterStaff } from '#tests/harness/staff.ts'
import { compareBooks } from './compare-books.ts'
import { processEvents } from './process-events.ts'
import { reconcile } from './reconcile.ts'
import { runRefunds } from './run-refunds.ts'
import { settle } from './settle.ts'
import { findBySession } from './store.ts'
import { sweepHolds } from './sweep-holds.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const FEE = 6_000

type By = 'card' | 'wallet'

/** Money that the gateway took and nobody here has heard of. */
async function take(till: Till, by: By) {
  const hold = await till.hold()
  const session = await (by === 'card' ? till.card(hold) : till.wallet(hold))
  const find = () =>
    findBySession(till.world.database.db, by === 'card' ? 'stripe' : 'paypal', session)
  const { desk } = till.sandbox.sandbox
  if (by === 'card') {
    till.sandbox.payByCard(session)
    return { find, money: desk.store.list('charge')[0]?.intent ?? '' }
  }
  till.sandbox.approve(session)
  const { id } = (await find()) ?? { id: '' }
  // As if the process had died before it could write the answer down.
  const { gwPayment } = await till.world.services.gateways.paypal.capture(session, id)
  await till.world.database.db.updateTable('payments').set({ state: 'capturing' }).execute()
  return { find, money: gwPayment ?? '' }
}

async function settled(till: Till, find: () => ReturnType<typeof findBySession>) {
  const payment = await find()
  if (payment === undefined) throw new Error('Nobody pays.')
  return settle(till.world.context(), payment)
}

async function books({ world: { database } }: Till) {
  const payments = await database.db.selectFrom('payments').select('state').execute()
  const bookings = await database.db.selectFrom('bookings').select('state').execute()
  const refunds = await database.db
    .selectFrom('refunds')
    .select(['reason', 'amount_minor', 'state'])
    .execute()
  return {
    payment: payments[0]?.state,
    booking: bookings[0]?.state,
    refunds: refunds.map((one) => `${one.reason} ${one.amount_minor} ${one.state}`).toSorted(),
  }
}

/** Minor units that went back, by the gateways' own books. */
function sentBack({ sandbox }: Till): number[] {
  const { store } = sandbox.sandbox.desk
  return [
    ...store.list('refund').map(({ amount }) => amount),
    ...store.list('walletRefund').map(({ value }) => Math.round(Number(value) * 100)),
  ].toSorted((a, b) => a - b)
}

async function toStaff({ world }: Till) {
  await world.drainOutbox()
  return world.mails
    .filter(({ to }) => to === world.services.config.supportEmail)
    .map(({ text }) => text)
}

describeEngines('money that went back at the gateway', (makeDatabase) => {
  const begin = async () => makeTill({ database: await makeDatabase() })

  test.each(['card', 'wallet'] as const)(
    'all of a %s’s, before we settled: no visit, and the time is free',
    async (by) => {
      await using till = await begin()
      const { find, money } = await take(till, by)
      await till.sandbox.refundByHand(money)
      await settled(till, find)
      till.world.advance(16 * MINUTE)
      await sweepHolds(till.world.services)
      await runRefunds(till.world.services)
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
      await runRefunds(till.world.services)
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
      await till.world.drainOutbox()
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
      await compareBooks(till.world.services)
      expect(await toStaff(till)).toHaveLength(1)
      const admin = await enterStaff(till.world, 'admin')
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

  test.each(['card', 'wallet'] as const)(
    'a refund of a part of a %s’s whose answers are lost, and which runs late, happens once',
    async (by) => {
      await using till = await begin()
      const { find } = await take(till, by)
      await settled(till, find)
      const admin = await enterStaff(till.world, 'admin')
      const { id: paymentId } = (await find()) ?? { id: '' }
      const path = by === 'card' ? '/v1/refunds' : '*/refund'
      await till.sandbox.fail({ path, method: 'POST', fault: 'late', times: 100 })
      const key = '0b8f7c3e-5a44-4f0e-9d57-000000000001'
      await admin.act('payments.refund', { paymentId, minor: 500, reason: 'Late.', key })
      for (let round = 0; round < 8; round += 1) {
        till.world.advance(30_000)
        await runRefunds(till.world.services)
      }
      await till.sandbox.fail()
      await till.sandbox.executeLate()
      till.world.advance(HOUR)
      await runRefunds(till.world.services)
      expect(sentBack(till)).toEqual([500])
      expect((await books(till)).refunds).toEqual(['staff 500 done'])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a refund of a part of a %s’s that was not answered for three days is not sent twice',
    async (by) => {
      await using till = await begin()
      const { find } = await take(till, by)
      await settled(till, find)
      const admin = await enterStaff(till.world, 'admin')
      const { id: paymentId } = (await find()) ?? { id: '' }
      const path = by === 'card' ? '/v1/refunds' : '*/refund'
      await till.sandbox.fail({ path, method: 'POST', fault: 'drop_after', times: 3 })
      const key = '0b8f7c3e-5a44-4f0e-9d57-000000000001'
      await admin.act('payments.refund', { paymentId, minor: 500, reason: 'Down.', key })
      // Down for so long that the gateways have forgotten every key.
      till.world.advance(50 * 24 * HOUR)
      await till.sandbox.fail()
      await runRefunds(till.world.services)
      expect(sentBack(till)).toEqual([500])
      expect((await books(till)).refunds).toEqual(['staff 500 done'])
    },
  )

  test.each(['error_500_kept', 'error_500_kept_done'] as const)(
    '%s: another key follows only once it is known that nothing was done',
    async (fault) => {
      await using till = await begin()
      const { find } = await take(till, 'card')
      await settled(till, find)
      const admin = await enterStaff(till.world, 'admin')
      const { id: paymentId } = (await find()) ?? { id: '' }
      await till.sandbox.fail({ path: '/v1/refunds', method: 'POST', fault, times: 1 })
      const key = '0b8f7c3e-5a44-4f0e-9d57-000000000001'
      await admin.act('payments.refund', { paymentId, minor: 500, reason: 'Kept.', key })
      for (let round = 0; round < 3; round += 1) {
        till.world.advance(HOUR)
        await runRefunds(till.world.services)
      }
      expect(sentBack(till)).toEqual([500])
      expect((await books(till)).refunds).toEqual(['staff 500 done'])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a refund of a %s’s that is refused for good is in review at once, with the reason',
    async (by) => {
      await using till = await begin()
      const { find } = await take(till, by)
      await settled(till, find)
      const admin = await enterStaff(till.world, 'admin')
      const { id: paymentId } = (await find()) ?? { id: '' }
      const path = by === 'card' ? '/v1/refunds' : '*/refund'
      await till.sandbox.fail({ path, method: 'POST', fault: 'refused', times: 9 })
      const key = '0b8f7c3e-5a44-4f0e-9d57-000000000001'
      await admin.act('payments.refund', { paymentId, minor: FEE, reason: 'Closed.', key })
      const { data } = await admin.ask('payments.reviews', {})
      const [failed] = Reviews.parse(data).refunds
      expect(failed).toMatchObject({ amount: { minor: FEE, currency: 'GBP' } })
      expect(failed?.why).toMatch(by === 'card' ? /refund/i : /^REFUND_TIME_LIMIT_EXCEEDED$/)
      expect((await toStaff(till)).join()).toContain('A refund has failed for good')
      // Somebody refunds it at the gateway's own page: it stands for the one that was refused.
      await till.sandbox.fail()
      await till.sandbox.refundByHand(
        till.sandbox.sandbox.desk.store.list('charge')[0]?.intent ??
          till.sandbox.sandbox.desk.store.list('capture')[0]?.id ??
          '',
      )
      await settled(till, find)
      await runRefunds(till.world.services)
      expect((await books(till)).refunds).toEqual([`staff ${FEE} done`])
    },
  )

  test.each(['card', 'wallet'] as const)(
    'a dispute of a %s’s is told to staff at once, and how it ends, with what the gateway says',
    async (by) => {
      await using till = await makeTill({ database: await makeDatabase(), hears: true })
      const { find, money } = await take(till, by)
      await settled(till, find)
      const id = await till.sandbox.dispute(money)
      await till.sandbox.deliverDue()
      await processEvents(till.world.services)
      const admin = await enterStaff(till.world, 'admin')
      const list = async () =>
        Differences.parse((await admin.ask('payments.differences', { show: 'open' })).data)
      expect(await list()).toMatchObject({
        differences: [{ kind: 'dispute', object: id, amount: { minor: FEE, currency: 'GBP' } }],
      })
      const [first] = await toStaff(till)
      expect(first).toContain('The patient disputes this payment')
      expect(first).toMatch(/fraudulent, needs_response|UNAUTHORISED/)
      await till.sandbox.closeDispute(id, 'lost')
      till.world.advance(1_000)
      await till.sandbox.deliverDue()
      await processEvents(till.world.services)
      const told = await toStaff(till)
      expect(told).toHaveLength(2)
      expect(told[1]).toMatch(/lost|RESOLVED/)
    },
  )

  test('nothing is refunded at the gateway: nobody is told anything', async () => {
    await using till = await begin()
    const { find } = await take(till, 'card')
    await settled(till, find)
    await reconcile(till.world.services)
    await compareBooks(till.world.services)
    expect(await toStaff(till)).toEqual([])
  })
})
