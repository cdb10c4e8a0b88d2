import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { completeVisits } from '#server/outcomes/outcomes.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { gatewayRefunds, makePaidVisit, signInProvider } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { insertVisit, type VisitValues } from '#tests/harness/visits.ts'
import { returnLateFees } from './return-late-fees.ts'

const HOUR = 3_600_000
const gbp = (minor: number) => ({ minor, currency: 'GBP' as const })
const uuid = (n: number) => `0b8f7c3e-5a44-4f0e-9d57-${String(n).padStart(12, '0')}`

/** A visit cancelled a day before: £30.00 of £60.00 was refunded, and £30.00 is kept. */
async function cancelLate(database: Database) {
  const at = await makePaidVisit({ database })
  const { testApp, id, caller } = at
  testApp.advance(49 * HOUR)
  const { sequence, refund } = await caller.visits.terms({ id })
  await caller.visits.cancel({ id, sequence, refund })
  await runRefunds(testApp.services)
  const { db } = testApp.database
  const visit = await db
    .selectFrom('bookings')
    .select(['no', 'start_at', 'end_at', 'provider_no', 'place_no'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { provider } = await signInProvider(testApp)
  const own = { ...provider, placeNos: [visit.place_no] }
  const startsAt = new Date(visit.start_at).toISOString()
  /** Another patient books the same time. */
  const refill = (more: Partial<VisitValues> = {}) =>
    insertVisit(testApp, own, { patientNo: at.stranger.session.accountNo, startsAt, ...more })
  /** Advances to this many hours after the end of the visit. */
  const passTo = (hours: number) =>
    testApp.advance(visit.end_at + hours * HOUR - testApp.services.now())
  const run = async () => {
    await completeVisits(testApp.services)
    await returnLateFees(testApp.services)
    await runRefunds(testApp.services)
  }
  const fee = async () => (await caller.booking.visit({ id })).lateFee
  const changes = () =>
    db
      .selectFrom('visit_changes')
      .select(['what', 'by_kind', 'refund_minor', 'kept_minor'])
      .where('booking_no', '=', visit.no)
      .orderBy('no')
      .execute()
  return {
    ...at,
    refill,
    passTo,
    run,
    fee,
    changes,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}

describeEngines('the fee for cancelling late', (makeDatabase) => {
  test('is refunded once somebody else’s visit took place in that time, and its patient is told why', async () => {
    await using at = await cancelLate(await makeDatabase())
    const { testApp, fee } = at
    expect(await fee()).toEqual({ amount: gbp(3_000), state: 'open' })
    await at.refill()
    at.passTo(47)
    await at.run()
    expect(gatewayRefunds(at)).toEqual([3_000])
    at.passTo(48)
    await completeVisits(testApp.services)
    const jobs = Array.from({ length: 4 }, () => returnLateFees(testApp.services))
    await Promise.all(jobs)
    await at.run()
    expect(gatewayRefunds(at)).toEqual([3_000, 3_000])
    expect(await at.changes()).toEqual([
      { what: 'cancelled', by_kind: 'patient', refund_minor: 3_000, kept_minor: 3_000 },
      { what: 'refilled', by_kind: 'system', refund_minor: 3_000, kept_minor: 0 },
    ])
    expect(await fee()).toEqual({ amount: gbp(3_000), state: 'returned' })
    await testApp.drainOutbox()
    const email = testApp.mails.findLast(({ subject }) => subject.startsWith('We’ve refunded'))
    expect(email?.text).toContain('Someone else took the time you cancelled')
    const audit = await testApp.database.db
      .selectFrom('audit')
      .select('action')
      .where('action', '=', 'visit.refilled')
      .execute()
    expect(audit).toHaveLength(1)
  })

  test.each([
    ['nobody takes the time', null],
    ['whoever took it did not come', 'no_show'],
    ['it did not take place either', 'not_held'],
  ] as const)('is kept where %s', async (_, outcome) => {
    await using at = await cancelLate(await makeDatabase())
    const { db } = at.testApp.database
    if (outcome !== null) {
      const other = await at.refill()
      await db
        .updateTable('bookings')
        .set({ outcome, outcome_at: at.testApp.services.now() })
        .where('no', '=', other.no)
        .execute()
    }
    at.passTo(71)
    await at.run()
    expect(await at.fee()).toEqual({ amount: gbp(3_000), state: 'open' })
    at.passTo(73)
    await at.run()
    expect(gatewayRefunds(at)).toEqual([3_000])
    expect(await at.fee()).toEqual({ amount: gbp(3_000), state: 'kept' })
  })

  test('a visit completed after 72 hours is too late, one in time is not, whenever the job runs', async () => {
    await using at = await cancelLate(await makeDatabase())
    const { db } = at.testApp.database
    const other = await at.refill()
    const complete = (at_: number) =>
      db
        .updateTable('bookings')
        .set({ outcome: 'completed', outcome_at: at_ })
        .where('no', '=', other.no)
        .execute()
    at.passTo(72)
    const end = at.testApp.services.now()
    await complete(end + 1)
    at.passTo(24 * 20)
    await at.run()
    expect(gatewayRefunds(at)).toEqual([3_000])
    await complete(end)
    await at.run()
    expect(gatewayRefunds(at)).toEqual([3_000, 3_000])
  })

  test('a job that was down for weeks refunds as much', async () => {
    await using at = await cancelLate(await makeDatabase())
    await at.refill()
    at.passTo(24 * 30)
    await at.run()
    expect(gatewayRefunds(at)).toEqual([3_000, 3_000])
  })

  test('with a concurrent or earlier refund by staff, never more than was paid', async () => {
    await using at = await cancelLate(await makeDatabase())
    const { testApp, payment } = at
    await at.refill()
    at.passTo(48)
    await completeVisits(testApp.services)
    const admin = await signInDemoStaff(testApp, 'admin')
    const refund = { paymentId: payment.id, reason: 'They were ill.' }
    await admin.act('payments.refund', { ...refund, minor: 1_000, key: uuid(1) })
    const all = [1, 2, 3, 4, 5].flatMap((n) => [
      returnLateFees(testApp.services),
      admin.act('payments.refund', { ...refund, minor: 2_000, key: uuid(10 + n) }),
    ])
    await Promise.all(all)
    await at.run()
    const back = gatewayRefunds(at)
    expect(back.reduce((sum, minor) => sum + minor, 0)).toBe(6_000)
    expect(await at.changes()).toHaveLength(2)
  })

  test('waits while the payment is disputed, and covers a failed refund', async () => {
    await using at = await cancelLate(await makeDatabase())
    const { testApp } = at
    const { db } = testApp.database
    await at.refill()
    const { no } = await db
      .selectFrom('payments')
      .select('no')
      .where('id', '=', at.payment.id)
      .executeTakeFirstOrThrow()
    const now = testApp.services.now()
    await db
      .insertInto('payment_differences')
      .values({
        gateway: 'stripe',
        object: 'dp_1',
        kind: 'dispute',
        payment_no: no,
        amount_minor: 6_000,
        currency: 'GBP',
        details: null,
        found_at: now,
        told_at: now,
        dealt_at: null,
        dealt_by: null,
        dealt_note: null,
      })
      .execute()
    at.passTo(49)
    await at.run()
    expect(gatewayRefunds(at)).toEqual([3_000])
    // The first refund has failed at the gateway meanwhile, and nobody has dealt with it.
    await db.updateTable('refunds').set({ state: 'failed', failure: 'expired_card' }).execute()
    await db.updateTable('payment_differences').set({ dealt_at: now, dealt_by: 'usr_x' }).execute()
    at.passTo(24 * 90)
    await returnLateFees(testApp.services)
    const refunds = await db
      .selectFrom('refunds')
      .select(['key', 'amount_minor', 'state', 'dealt_note'])
      .orderBy('key')
      .execute()
    expect(refunds).toEqual([
      {
        key: 'cancelled',
        amount_minor: 3_000,
        state: 'failed',
        dealt_note: 'Someone else took the time that was cancelled late.',
      },
      { key: 'refilled', amount_minor: 6_000, state: 'due', dealt_note: null },
    ])
  })
})
