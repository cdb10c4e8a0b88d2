import { expect, test } from 'vitest'
import { AppointmentId } from '#contract/base/ids.ts'
import { MAX_UPCOMING, MAX_UPCOMING_WITH_PROVIDER } from '#contract/booking.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { releaseBooking } from '#server/booking/hold/holds.ts'
import { MAX_UNPAID_HOLDS } from '#server/booking/rules.ts'
import { moveVisit } from '#server/visits/move-visit.ts'
import { signedInAs } from '#tests/harness/accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { settle, startOpenPayment, verifyCode } from '#tests/harness/visits.ts'
import { insertPatients, makeProviderWithSlots } from './booking-race.ts'
import {
  count,
  HALF_HOUR,
  holdAsNewPatients,
  MINUTE,
  makeSlots,
  pay,
  type SlotRequest,
  TOMORROW,
  tryToHold,
} from './hold-crowd.ts'

describeEngines('unpaid holds of one patient', (makeDatabase) => {
  test('are at most twenty in a day, released or not, not counting booked ones', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await makeSlots(testApp, 24)
    const [who] = await insertPatients(testApp, 1)
    if (who === undefined) throw new Error('There is no patient.')
    const ctx = signedInAs(testApp.services, who)
    await pay(testApp, who, wishes.pop())
    for (const wish of wishes.slice(0, MAX_UNPAID_HOLDS.patient)) {
      const { id } = await holdSlot(ctx, wish)
      await ctx.transaction(async (tx) => {
        const { no } = await tx.db
          .selectFrom('bookings')
          .select('no')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        await releaseBooking(ctx, tx, { bookingNo: no, reason: 'left' })
      })
    }
    expect(await tryToHold(ctx, wishes[20])).toBe('too_many_unpaid_holds')
    // The cap counts per patient.
    expect(await holdAsNewPatients(testApp, wishes.slice(20, 21))).toEqual(['held'])
  })
})

/** Held and confirmed visits of a patient: in total, and the most with one provider. */
async function upcoming({ database: { db } }: TestApp, who: { no: number }) {
  const rows = await db
    .selectFrom('bookings')
    .select('provider_no')
    .where('patient_no', '=', who.no)
    .where('state', 'in', ['held', 'confirmed'])
    .execute()
  const each = Map.groupBy(rows, (row) => row.provider_no)
  return { all: rows.length, withOne: Math.max(...[...each.values()].map((of) => of.length)) }
}

/** A patient who has booked these times. */
async function makeBookedPatient(testApp: TestApp, wishes: readonly SlotRequest[]) {
  const [who] = await insertPatients(testApp, 1)
  if (who === undefined) throw new Error('There is no patient.')
  for (const wish of wishes) await pay(testApp, who, wish)
  return { who, ctx: signedInAs(testApp.services, who) }
}

/** Consecutive times, each with a different provider. */
async function makeSlotsOfDifferentProviders(
  testApp: TestApp,
  many: number,
  from: number,
): Promise<SlotRequest[]> {
  return Promise.all(
    Array.from({ length: many }, async (_, n) => {
      const start = TOMORROW + (from + n) * HALF_HOUR
      const providerId = await makeProviderWithSlots(testApp, [{ start, minutes: 30 }])
      return { providerId, startsAt: new Date(start).toISOString() }
    }),
  )
}

describeEngines('upcoming visits of one patient', (makeDatabase) => {
  test('are at most eight, also of twenty concurrent holds', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { who, ctx } = await makeBookedPatient(
      testApp,
      await makeSlotsOfDifferentProviders(testApp, 6, 0),
    )
    const wishes = await makeSlotsOfDifferentProviders(testApp, 20, 6)
    const results = await Promise.all(wishes.map((wish) => tryToHold(ctx, wish)))
    expect(count(results)).toEqual({ held: 2, 'too_many_coming patient': 18 })
    expect(await upcoming(testApp, who)).toEqual({ all: MAX_UPCOMING, withOne: 1 })
    // Expired holds make room.
    testApp.advance(15 * MINUTE)
    const free = wishes.filter((_, n) => results[n] !== 'held')
    expect(await tryToHold(ctx, free[0])).toBe('held')
  })

  test('are at most three with one provider, also of twenty concurrent holds', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [one, other, ...wishes] = await makeSlots(testApp, 22)
    const { who, ctx } = await makeBookedPatient(
      testApp,
      [one, other].filter((wish) => wish !== undefined),
    )
    const results = await Promise.all(wishes.map((wish) => tryToHold(ctx, wish)))
    expect(count(results)).toEqual({ held: 1, 'too_many_coming provider': 19 })
    expect(await upcoming(testApp, who)).toEqual({ all: 3, withOne: MAX_UPCOMING_WITH_PROVIDER })
    const [elsewhere] = await makeSlotsOfDifferentProviders(testApp, 1, 40)
    expect(await tryToHold(ctx, elsewhere)).toBe('held')
  })

  test('do not count once begun or cancelled, and count once when moved', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { db } = testApp.database
    const wishes = await makeSlots(testApp, 8)
    const { ctx } = await makeBookedPatient(testApp, wishes.slice(0, 3))
    const last = wishes[6]
    expect(await tryToHold(ctx, last)).toBe('too_many_coming provider')
    const [visit] = await db.selectFrom('bookings').select('id').orderBy('no').execute()
    const slot = { startsAt: wishes[5]?.startsAt ?? '' }
    await moveVisit(ctx, { id: AppointmentId.parse(visit?.id), sequence: 0, slot })
    expect(await tryToHold(ctx, last)).toBe('too_many_coming provider')
    // The second of the three begins; the moved visit is the first.
    testApp.advance(TOMORROW + HALF_HOUR - testApp.services.now())
    expect(await tryToHold(ctx, last)).toBe('held')
    expect(await tryToHold(ctx, wishes[7])).toBe('too_many_coming provider')
    await db
      .updateTable('bookings')
      .set({ state: 'cancelled' })
      .where('state', '=', 'confirmed')
      .execute()
    expect(await tryToHold(ctx, wishes[7])).toBe('held')
  })

  test('include an expired hold while its payment can still succeed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [first, ...rest] = await makeSlots(testApp, 5)
    const { ctx } = await makeBookedPatient(testApp, rest.slice(0, 2))
    if (first === undefined) throw new Error('There is no such time.')
    const { id } = await holdSlot(ctx, first)
    await verifyCode(ctx, id)
    const payment = await startOpenPayment(ctx, id)
    testApp.advance(15 * MINUTE)
    expect(await tryToHold(ctx, rest[2])).toBe('too_many_coming provider')
    expect(await settle(ctx, payment)).toBe(true)
    expect(await tryToHold(ctx, rest[2])).toBe('too_many_coming provider')
  })
})
