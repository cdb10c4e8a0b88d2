import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { refreshNextFreeOf } from '#server/search/index-rows.ts'
import { DEFAULT_HOURS, makeClinician } from '#tests/harness/hours.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { extendSlots } from './extend-slots.ts'

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
  test('adds the day that comes into view, once, also when two processes do it at once', async () => {
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

  test('moves all others on where one calendar cannot be made', async () => {
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
    const told = () => testApp.logged.filter(({ level }) => level === 50)
    expect(told()).toMatchObject([{ providerNo: bad.no }])
    // It is retried, but not before an hour has passed.
    await extend(testApp)
    expect(told()).toHaveLength(1)
    testApp.advance(HOUR)
    await extend(testApp)
    expect(told()).toHaveLength(2)
  })

  test('ends where making all slots anew would, and forgets those over for a week', async () => {
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

  test('gives whoever had nothing in view a next free time in the search', async () => {
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

test('each zone moves on in its own night', async () => {
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
