import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/base/time.ts'
import { DataExport } from '#contract/profiles.ts'
import { extendSlots } from '#server/availability/slots/extend-slots.ts'
import { refreshNextFreeOf } from '#server/search/reindex.ts'
import { makePatient, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { at, DEFAULT_HOURS, makeClinician } from '#tests/harness/clinician.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const mornings = DEFAULT_HOURS.filter(({ to }) => to === at('12:00'))

test('a provider has no slots before setting hours, and has them at once afterwards', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  expect((await clinician.mine()).version).toBe(0)
  expect(await clinician.free()).toEqual([])
  const answer = await clinician.save(DEFAULT_HOURS)
  expect(answer).toMatchObject({ saved: true, conflicts: [], mine: { version: 1 } })
  const tuesday = await clinician.free('2026-03-03', 1)
  expect(tuesday).toHaveLength(14)
  expect([tuesday[0], tuesday[5], tuesday[6]]).toEqual([
    '2026-03-03T09:00',
    '2026-03-03T11:30',
    '2026-03-03T13:00',
  ])
  expect(await clinician.free('2026-03-07', 2)).toEqual([])
  // The last day in view is sixty days after today.
  expect(await clinician.free('2026-05-01', 1)).toHaveLength(14)
  expect(await clinician.free('2026-05-02', 14)).toEqual([])
})

test('the search shows them: next free time and cards', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  await testApp.drainOutbox()
  const row = await testApp.database.db
    .selectFrom('search_index')
    .select('next_free')
    .where('provider_no', '=', clinician.no)
    .executeTakeFirstOrThrow()
  // At 09:00, with two hours' notice: 11:00 is within the margin before the notice.
  expect(new Date(row.next_free).toISOString()).toBe('2026-03-02T11:30:00.000Z')
})

test('weeks alternate', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(
    [
      { week: 1, weekday: 2, from: at('9:00'), to: at('10:00') },
      { week: 2, weekday: 4, from: at('15:00'), to: at('16:00') },
    ],
    { rotation: { weeks: 2, from: '2026-03-04' } },
  )
  const days = (await clinician.free('2026-03-02', 28)).map((time) => time.slice(0, 10))
  expect([...new Set(days)]).toEqual(['2026-03-03', '2026-03-12', '2026-03-17', '2026-03-26'])
})

test('public holidays are observed where chosen, by the calendar of the place', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  const easter = async () =>
    (await clinician.free('2026-04-02', 6)).filter((time) => time.endsWith('T08:00')).length
  await clinician.save(DEFAULT_HOURS, { closedOnHolidays: false })
  expect(await easter()).toBe(4)
  await clinician.save(DEFAULT_HOURS, { closedOnHolidays: true })
  expect(await easter()).toBe(2)
  await testApp.database.db.updateTable('places').set({ postcode: 'EH1 1YZ' }).execute()
  await clinician.save(DEFAULT_HOURS, { closedOnHolidays: true })
  // Easter Monday is no holiday in Scotland.
  expect(await easter()).toBe(3)
})

test.each([
  [
    'overlapping ranges',
    [
      { weekday: 1, from: at('9:00'), to: at('12:00') },
      { weekday: 1, from: at('11:00'), to: at('13:00') },
    ],
    'These hours overlap: 09:00 to 12:00 and 11:00 to 13:00 on Mondays.',
  ],
  [
    'the same range twice',
    [
      { weekday: 3, from: 540, to: 600 },
      { weekday: 3, from: 540, to: 600 },
    ],
    'These hours overlap: 09:00 to 10:00 and 09:00 to 10:00 on Wednesdays.',
  ],
  ['an inverted range', [{ weekday: 1, from: 720, to: 540 }], 'The end must be after the start.'],
  ['a range of nothing', [{ weekday: 1, from: 540, to: 540 }], 'The end must be after the start.'],
  [
    'a range shorter than a visit',
    [{ weekday: 1, from: 540, to: 560 }],
    'These hours are too short for a visit of 30 minutes.',
  ],
])('%s are refused beside the field, and nothing is saved', async (_, hours, message) => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(mornings)
  const before = [await clinician.mine(), await clinician.free()]
  await expect(clinician.save(hours)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message,
    cause: { issues: [{ path: `hours.${hours.length - 1}`, message }] },
  })
  expect([await clinician.mine(), await clinician.free()]).toEqual(before)
})

test('messages for a provider in the USA use the 12-hour clock', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp, { region: 'usa' })
  const overlapping = [
    { weekday: 5, from: at('9:00'), to: at('12:30') },
    { weekday: 5, from: at('12:00'), to: at('24:00') },
  ]
  await expect(clinician.save(overlapping)).rejects.toThrow(
    'These hours overlap: 9:00 am to 12:30 pm and 12:00 pm to 12:00 am on Fridays.',
  )
})

test.each([
  [{ weekday: 8, from: 540, to: 600 }],
  [{ weekday: 1, from: -5, to: 600 }],
  [{ weekday: 1, from: 540, to: 1_441 }],
  [{ weekday: 1, from: 540.5, to: 600 }],
  [{ weekday: 1, week: 2, from: 540, to: 600 }],
])('%o is not a valid weekly hour', async (range) => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await expect(clinician.save([range])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect((await clinician.mine()).version).toBe(0)
})

test('somebody else’s place is unknown', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  const { placeId } = await makeClinician(testApp)
  const hours = [{ placeId, week: 1, weekday: 1, from: 540, to: 600 }]
  await expect(clinician.save([], {}, { hours })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('an outdated page changes nothing', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  await clinician.save(mornings)
  await expect(clinician.save([], {}, { version: 1 })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Your hours were changed in another window. Check them again, then save.',
  })
  expect((await clinician.mine()).hours).toHaveLength(5)
})

test('a change that leaves booked visits outside lists them first, and keeps them once confirmed', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const { ctx } = await makePatient(testApp)
  const id = await bookVisit(ctx, { providerId: clinician.id, startsAt: '2026-03-03T15:00:00Z' })
  const refused = await clinician.save(mornings)
  expect(refused).toMatchObject({
    saved: false,
    conflicts: [{ id, patient: 'Maya Ellis', startsAt: '2026-03-03T15:00:00.000Z' }],
    mine: { version: 1 },
  })
  expect((await clinician.mine()).hours).toHaveLength(10)
  // Confirming another visit does not confirm this one.
  const other = `apt_${'0'.repeat(26)}`
  expect(await clinician.save(mornings, {}, { confirmed: [other] })).toMatchObject({ saved: false })
  const saved = await clinician.save(mornings, {}, { confirmed: [id] })
  expect(saved).toMatchObject({ saved: true, conflicts: [{ id }], mine: { version: 2 } })
  expect(await clinician.free('2026-03-03', 1)).toHaveLength(6)
  const visit = await testApp.database.db
    .selectFrom('bookings as b')
    .innerJoin('slot_claims as c', 'c.booking_no', 'b.no')
    .select(['b.id', 'b.state'])
    .execute()
  expect(visit).toEqual([{ id, state: 'confirmed' }])
  // A visit that was already outside is not reported again.
  expect(await clinician.save(mornings.slice(1))).toMatchObject({ saved: true, conflicts: [] })
})

test('each change is audited, with the visits it left outside', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['action', 'actor_kind', 'entity', 'details'])
    .execute()
  expect(rows).toEqual([
    {
      action: 'availability.hours_saved',
      actor_kind: 'provider',
      entity: clinician.id,
      details: '{"ranges":10,"kept":0}',
    },
  ])
})

const settings = {
  noticeMinutes: 0,
  horizonDays: 30,
  bufferMinutes: 0,
  closedOnHolidays: false,
  rotation: { weeks: 1, from: '2026-03-02' },
}

/** A provider with hours, an extra date and an absence, each with a note that names someone. */
async function makeProviderWithRules(testApp: TestApp) {
  const { account, provider } = await makeProviderAccount(testApp)
  const { id: placeId } = await testApp.database.db
    .selectFrom('places')
    .select('id')
    .executeTakeFirstOrThrow()
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const hours = [{ placeId, week: 1, weekday: 3, from: 540, to: 660 }]
  const answers = [
    await browser.act('availability.saveHours', { version: 0, settings, hours }),
    await browser.act('availability.addDates', {
      version: 1,
      placeId,
      dates: ['2026-03-07'],
      from: 600,
      to: 720,
      note: 'Instead of Canary day',
    }),
    await browser.act('availability.addAbsence', {
      version: 2,
      placeId: null,
      from: '2026-03-09',
      to: '2026-03-13',
      note: 'Canary islands',
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  return { browser, provider }
}

test('the data export has hours, dates and absences', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await makeProviderWithRules(testApp)
  const { provider } = DataExport.parse((await browser.act('profiles.exportData')).data)
  expect(provider).toMatchObject({
    availability: {
      settings: { notice_minutes: 0, horizon_days: 30, rotation_from: '2026-03-02' },
      hours: [{ place: 'Borough Practice', weekday: 3, from_minute: 540, to_minute: 660 }],
      extra_dates: [{ date: '2026-03-07', note: 'Instead of Canary day' }],
      absences: [{ from_date: '2026-03-09', to_date: '2026-03-13', note: 'Canary islands' }],
    },
  })
})

test('erasing an account deletes its hours, and no job creates slots from them', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await makeProviderWithRules(testApp)
  await browser.act('erasure.erase', { confirm: true })
  testApp.advance(2 * DAY_MS)
  await extendSlots(testApp.services, refreshNextFreeOf)
  const { db } = testApp.database
  const kept = [
    await db.selectFrom('schedules').selectAll().execute(),
    await db.selectFrom('weekly_hours').selectAll().execute(),
    await db.selectFrom('extra_dates').selectAll().execute(),
    await db.selectFrom('absences').selectAll().execute(),
    await db.selectFrom('slots').selectAll().execute(),
  ]
  expect(kept).toEqual([[], [], [], [], []])
})
