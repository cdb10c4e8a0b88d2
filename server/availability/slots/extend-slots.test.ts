import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/base/time.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { releaseBooking } from '#server/booking/hold/holds.ts'
import { type SignedIn, systemContext } from '#server/context.ts'
import { refreshNextFreeOf } from '#server/search/reindex.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { type Clinician, DEFAULT_HOURS, makeClinician } from '#tests/harness/clinician.ts'
import { setVisitLength } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { extendSlots, withdrawSlots } from './extend-slots.ts'

const HOUR = 3_600_000

const extend = (testApp: TestApp) => extendSlots(testApp.services, refreshNextFreeOf)

function allSlots(testApp: TestApp) {
  return testApp.database.db
    .selectFrom('slots')
    .selectAll()
    .orderBy('provider_no')
    .orderBy('start_at')
    .execute()
}

describeEngines('the nightly job', (makeDatabase) => {
  test('adds the new day once, also with two concurrent processes', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp)
    const others = await Promise.all([makeClinician(testApp), makeClinician(testApp)])
    for (const one of [clinician, ...others])
      await one.save(DEFAULT_HOURS, { closedOnHolidays: false })
    const before = await allSlots(testApp)
    await extend(testApp)
    expect(await allSlots(testApp)).toEqual(before)
    // The new days are Friday 1 May, a weekend, and Monday 4 May.
    testApp.advance(3 * DAY_MS)
    await Promise.all([extend(testApp), extend(testApp), extend(testApp)])
    const after = await allSlots(testApp)
    expect(after).toHaveLength(before.length + 3 * 14)
    expect(await clinician.free('2026-05-04', 2)).toHaveLength(14)
    await extend(testApp)
    expect(await allSlots(testApp)).toEqual(after)
  })

  test('extends all others when one calendar fails', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [bad, good] = [await makeClinician(testApp), await makeClinician(testApp)]
    for (const one of [bad, good]) await one.save(DEFAULT_HOURS, { closedOnHolidays: false })
    // As with a zone from a newer tz database, or a row that was edited.
    await testApp.database.db
      .updateTable('places')
      .set({ time_zone: 'Nowhere/Town' })
      .where('provider_no', '=', bad.no)
      .execute()
    const before = await allSlots(testApp)
    testApp.advance(3 * DAY_MS)
    await extend(testApp)
    const after = await allSlots(testApp)
    expect(after.filter((slot) => slot.provider_no === bad.no)).toHaveLength(
      before.filter((slot) => slot.provider_no === bad.no).length,
    )
    expect(await good.free('2026-05-04', 2)).toHaveLength(14)
    const errors = () => testApp.logged.filter(({ level }) => level === 50)
    expect(errors()).toMatchObject([{ providerNo: bad.no }])
    // It is retried, but not before an hour has passed.
    await extend(testApp)
    expect(errors()).toHaveLength(1)
    testApp.advance(HOUR)
    await extend(testApp)
    expect(errors()).toHaveLength(2)
  })

  test('has the same result as generating all slots again, and deletes those over for a week', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp)
    const settings = { closedOnHolidays: true, bufferMinutes: 10 }
    await clinician.save(DEFAULT_HOURS, settings)
    for (let night = 0; night < 20; night += 1) {
      testApp.advance(DAY_MS)
      await extend(testApp)
    }
    const slots = await allSlots(testApp)
    const now = testApp.services.now()
    expect(slots[0]?.start_at).toBeGreaterThanOrEqual(now - 7 * DAY_MS)
    const coming = slots.filter((slot) => slot.start_at > now + 2.1 * HOUR)
    await clinician.save(DEFAULT_HOURS, settings)
    const anew = (await allSlots(testApp)).filter((slot) => slot.start_at > now + 2.1 * HOUR)
    expect(coming).toEqual(anew)
  })

  test('gives providers without free times a next free time in the search', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp)
    await clinician.save([{ week: 4, weekday: 1, from: 540, to: 600 }], {
      rotation: { weeks: 4, from: '2026-03-02' },
      horizonDays: 7,
    })
    await testApp.drainOutbox()
    expect(await clinician.free('2026-03-02', 42)).toEqual([])
    testApp.advance(15 * DAY_MS)
    await extend(testApp)
    const row = await testApp.database.db
      .selectFrom('search_index')
      .select('next_free')
      .executeTakeFirstOrThrow()
    expect(new Date(row.next_free).toISOString()).toBe('2026-03-23T09:00:00.000Z')
  })
})

test('each zone is extended in its own night', async () => {
  await using testApp = await makeTestApp()
  const place = { time_zone: 'Pacific/Honolulu', postcode: '96815' }
  const clinician = await makeClinician(testApp, { region: 'usa', place })
  await clinician.save(DEFAULT_HOURS)
  const count = async () => (await allSlots(testApp)).length
  const before = await count()
  // Monday 09:00 in London is Sunday evening in Honolulu; midnight there is 10:00 UTC.
  testApp.advance(50 * 60_000)
  await extend(testApp)
  expect(await count()).toBe(before)
  testApp.advance(4 * HOUR)
  await extend(testApp)
  expect(await count()).toBe(before + 14)
})

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

test('a time within the notice is not offered anywhere', async () => {
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
  // Nothing is due before the next one is within the notice.
  testApp.advance(30 * MINUTE)
  await withdraw(testApp)
  expect((await clinician.free())[0]).toBe('2026-03-02T13:00')
})

test('without a notice, too, every offered time can be held', async () => {
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

test('a hold within the notice is refused, also while the job is late', async () => {
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

test('a hold stays valid within the notice; once released, its time is not offered again', async () => {
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

test('a time released early enough is offered again, if the current hours allow', async () => {
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
  // Visits now take an hour, and no afternoon hours remain.
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

test('a time whose hours are removed while it is being held cannot be held', async () => {
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
