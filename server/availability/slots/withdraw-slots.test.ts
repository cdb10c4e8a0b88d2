import { expect, test } from 'vitest'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { releaseBooking } from '#server/booking/hold/release-booking.ts'
import { type SignedIn, systemContext } from '#server/context.ts'
import { refreshNextFreeOf } from '#server/search/index-rows.ts'
import { type Clinician, DEFAULT_HOURS, makeClinician } from '#tests/harness/hours.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { setVisitLength } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { withdrawSlots } from './withdraw-slots.ts'

const MINUTE = 60_000

const withdraw = (testApp: TestApp) => withdrawSlots(testApp.services, refreshNextFreeOf)

async function nextFreeIn(testApp: TestApp, { no }: Clinician): Promise<string> {
  const row = await testApp.database.db
    .selectFrom('search_index')
    .select('next_free')
    .where('provider_no', '=', no)
    .executeTakeFirstOrThrow()
  return new Date(row.next_free).toISOString().slice(0, 16)
}

async function release(testApp: TestApp, bookingId: string): Promise<void> {
  const { no } = await testApp.database.db
    .selectFrom('bookings')
    .select('no')
    .where('id', '=', bookingId)
    .executeTakeFirstOrThrow()
  const ctx = systemContext(testApp.services, 'TEST')
  await ctx.transaction((tx) => releaseBooking(ctx, tx, { bookingNo: no }))
}

test('a time the notice reaches is offered nowhere any more', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  await testApp.drainOutbox()
  expect((await clinician.free())[0]).toBe('2026-03-02T11:30')
  testApp.advance(29 * MINUTE + 50_000)
  await withdraw(testApp)
  expect((await clinician.free())[0]).toBe('2026-03-02T13:00')
  expect(await nextFreeIn(testApp, clinician)).toBe('2026-03-02T13:00')
  const slots = await testApp.database.db
    .selectFrom('slots')
    .select('start_at')
    .orderBy('start_at')
    .limit(1)
    .execute()
  expect(new Date(slots[0]?.start_at ?? 0).toISOString()).toBe('2026-03-02T13:00:00.000Z')
  // Nothing is due before the notice reaches the next one.
  testApp.advance(30 * MINUTE)
  await withdraw(testApp)
  expect((await clinician.free())[0]).toBe('2026-03-02T13:00')
})

test('without a notice, too, whatever is offered can be held', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  const { caller } = await makePatient(testApp)
  testApp.advance(20 * MINUTE)
  // At 9:20, 9:21 and so on: a visit has to be paid for five minutes before it begins.
  for (let minute = 20; minute < 40; minute += 1) {
    await clinician.save(DEFAULT_HOURS, { noticeMinutes: 0 })
    await withdraw(testApp)
    const [first = ''] = await clinician.free()
    expect(first).toBe(minute <= 23 ? '2026-03-02T09:30' : '2026-03-02T10:00')
    const slot = { providerId: clinician.id, startsAt: `${first}:00Z` }
    expect(await caller.booking.checkSlot(slot)).toEqual({ available: true })
    const hold = await caller.booking.hold(slot)
    await release(testApp, hold.id)
    testApp.advance(MINUTE)
  }
})

test('a hold inside the notice is refused, also while the job is late', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const { caller } = await makePatient(testApp)
  testApp.advance(31 * MINUTE)
  const slot = { providerId: clinician.id, startsAt: '2026-03-02T11:30:00Z' }
  expect((await clinician.free())[0]).toBe('2026-03-02T13:00')
  expect(await caller.booking.checkSlot(slot)).toEqual({ available: false })
  await expect(caller.booking.hold(slot)).rejects.toMatchObject({
    cause: { code: 'slot_not_offered' },
  })
  await withdraw(testApp)
  await expect(caller.booking.hold(slot)).rejects.toMatchObject({
    cause: { code: 'slot_not_offered' },
  })
})

test('whoever holds a time keeps it inside the notice; given back, it is not offered again', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const { caller } = await makePatient(testApp)
  const other = await makePatient(testApp)
  const slot = { providerId: clinician.id, startsAt: '2026-03-02T11:30:00Z' }
  const hold = await caller.booking.hold(slot)
  testApp.advance(14 * MINUTE + 30 * MINUTE)
  await withdraw(testApp)
  testApp.advance(-30 * MINUTE)
  expect((await caller.booking.hold(slot)).id).toBe(hold.id)
  testApp.advance(40 * MINUTE)
  // The hold has expired, but the time is within the notice: nobody else gets it.
  await expect(other.caller.booking.hold(slot)).rejects.toMatchObject({
    cause: { code: 'slot_not_offered' },
  })
  await release(testApp, hold.id)
  expect((await clinician.free())[0]).toBe('2026-03-02T13:00')
  const rows = await testApp.database.db
    .selectFrom('slots')
    .select('free')
    .where('start_at', '=', Date.parse(slot.startsAt))
    .execute()
  expect(rows).toEqual([])
})

test('given back in time, a time is offered again, as the hours have it by then', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const { caller } = await makePatient(testApp)
  const times = ['2026-03-03T09:00', '2026-03-04T09:00', '2026-03-05T16:00']
  const holds: string[] = []
  for (const time of times) {
    const startsAt = `${time}:00Z`
    holds.push((await caller.booking.hold({ providerId: clinician.id, startsAt })).id)
  }
  // Visits become an hour long, and none remains in the afternoon.
  await setVisitLength(testApp.database, 60)
  await clinician.save(DEFAULT_HOURS.filter(({ to }) => to === 720))
  expect(await clinician.free('2026-03-03', 1)).toEqual(['2026-03-03T10:00', '2026-03-03T11:00'])
  for (const hold of holds) await release(testApp, hold)
  expect(await clinician.free('2026-03-03', 3)).toHaveLength(9)
  const slots = await testApp.database.db
    .selectFrom('slots')
    .select('minutes')
    .where('start_at', '<', Date.parse('2026-03-06T00:00Z'))
    .distinct()
    .execute()
  expect(slots).toEqual([{ minutes: 60 }])
})

test('a time whose hours go while somebody takes it is not theirs', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const { ctx } = await makePatient(testApp)
  // Between the check of the time and the write of the hold.
  const overtaken: SignedIn = {
    ...ctx,
    transaction: async (work) => {
      await clinician.save([])
      return ctx.transaction(work)
    },
  }
  const slot = { providerId: clinician.id, startsAt: '2026-03-03T09:00:00Z' }
  await expect(holdSlot(overtaken, slot)).rejects.toMatchObject({ code: 'slot_not_offered' })
  const { db } = testApp.database
  expect(await db.selectFrom('bookings').select('no').execute()).toEqual([])
  expect(await db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
})
