import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/base/time.ts'
import type { AddRowsInput, ImportRow } from '#contract/imports.ts'
import { insertBusy } from '#server/availability/hours/schedule-store.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { type Clinician, DEFAULT_HOURS, makeClinician } from '#tests/harness/clinician.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { purgeImports } from './import-rows.ts'

const DAY = '2026-03-10'

type Row = Partial<ImportRow>

function rowsOf(rows: readonly Row[]) {
  return rows.map((row, at) => ({ line: at + 2, ...row }))
}

function add(clinician: Clinician, rows: readonly Row[], more: Partial<AddRowsInput> = {}) {
  const input = { importId: null, name: 'appointments.csv', dates: 'dmy' as const }
  return clinician.caller.imports.add({ ...input, rows: rowsOf(rows), ...more })
}

async function refusalReason(clinician: Clinician, row: Row, dates: 'dmy' | 'mdy' = 'dmy') {
  const { refused } = await clinician.caller.imports.check({ dates, rows: rowsOf([row]) })
  return refused[0]?.why ?? null
}

test('appointments become blocked times with a label that only their provider sees', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const done = await add(clinician, [
    { start: '10/03/2026 09:00', end: '10/03/2026 10:00', label: 'Mrs Private, knee' },
    { start: '10/03/2026 13:00', minutes: '45' },
  ])
  expect(done).toMatchObject({ added: 2, updated: 0, refused: [] })
  const free = await clinician.free(DAY, 1)
  expect(free.filter((time) => time < `${DAY}T14`)).toEqual(
    ['10:00', '10:30', '11:00', '11:30'].map((time) => `${DAY}T${time}`),
  )
  const { stretches } = await clinician.caller.availability.explain({ date: DAY })
  expect(stretches.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      '09:00 to 10:00: Blocked: Mrs Private, knee',
      '13:00 to 13:45: Blocked: Imported appointment',
    ]),
  )
  const { db } = testApp.database
  const kept = await db.selectFrom('busy_times').selectAll().execute()
  const audit = await db.selectFrom('audit').selectAll().execute()
  expect(JSON.stringify([kept, audit, testApp.logged])).not.toContain('Private')
  expect(await db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
  expect(testApp.mails).toEqual([])
})

test('a repeated import replaces the first, with or without ids', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const rows = [
    { start: '10/03/2026 09:00', minutes: '30', externalId: 'A1', label: 'One' },
    { start: '10/03/2026 10:00', minutes: '30', label: 'Two' },
  ]
  await add(clinician, rows)
  expect(await add(clinician, rows)).toMatchObject({ added: 0, updated: 2 })
  const moved = [{ start: '10/03/2026 11:00', minutes: '30', externalId: 'A1', label: 'One' }]
  expect(await add(clinician, moved)).toMatchObject({ added: 0, updated: 1 })
  const free = await clinician.free(DAY, 1)
  expect(free).toHaveLength(12)
  expect(free).toContain(`${DAY}T09:00`)
  // The first import has no rows left, so it is gone.
  expect((await clinician.caller.imports.list({})).map(({ rows: count }) => count)).toEqual([1, 1])
})

test('an import is undone as a whole', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const first = await add(clinician, [{ start: '10/03/2026 09:00', minutes: '30' }])
  const more = [{ start: '10/03/2026 10:00', minutes: '30' }]
  await add(clinician, more, { importId: first.importId })
  await add(clinician, [{ start: '10/03/2026 13:00', minutes: '30' }])
  const [, one] = await clinician.caller.imports.list({})
  expect(one).toMatchObject({ id: first.importId, name: 'appointments.csv', rows: 2 })
  await clinician.caller.imports.remove({ id: one?.id ?? '' })
  expect(await clinician.free(DAY, 1)).toHaveLength(13)
  expect(await clinician.caller.imports.list({})).toHaveLength(1)
})

test.each([
  ['05/04/2026 09:00', 'dmy', '2026-04-05T08:00:00.000Z'],
  ['05/04/2026 09:00', 'mdy', '2026-05-04T08:00:00.000Z'],
  ['5.4.26 9:00', 'dmy', '2026-04-05T08:00:00.000Z'],
  ['05-04-2026, 9.30 PM', 'dmy', '2026-04-05T20:30:00.000Z'],
  ['12/31/2026 12:15 am', 'mdy', '2026-12-31T00:15:00.000Z'],
  ['2026-04-05 09:00:00', 'mdy', '2026-04-05T08:00:00.000Z'],
  ['2026-04-05T09:00', 'dmy', '2026-04-05T08:00:00.000Z'],
  ['2026-04-05T09:00:00Z', 'dmy', '2026-04-05T09:00:00.000Z'],
  ['2026-04-05T09:00+02:00', 'dmy', '2026-04-05T07:00:00.000Z'],
] as const)('%s is parsed: %s', async (start, dates, startsAt) => {
  await using testApp = await makeTestApp()
  const { caller } = await makeClinician(testApp)
  const rows = rowsOf([{ start, minutes: '30' }])
  expect((await caller.imports.check({ dates, rows })).first).toMatchObject({ startsAt })
})

test.each([
  [{ start: '10-Dec-26 09:00', minutes: '30 min' }, '09:00', '09:30'],
  [{ start: '10 December 2026 09:00', minutes: '0:30' }, '09:00', '09:30'],
  [{ start: 'Thu 10/12/2026 09:00', minutes: '1 h 30' }, '09:00', '10:30'],
  [{ start: 'Dec 10, 2026 9:00 AM', end: '9:30 AM' }, '09:00', '09:30'],
  [{ start: '2026/12/10 09:00', end: '2026/12/10 09:30' }, '09:00', '09:30'],
  [{ start: '2026-12-10 09:00:00+00', end: '2026-12-10 10:00:00+00' }, '09:00', '10:00'],
  [{ start: '20261210T090000', end: '20261210T093000' }, '09:00', '09:30'],
  [{ start: '10 Dec 2026 22:00', end: '24:00' }, '22:00', '24:00'],
  [{ start: '10 Dec 2026 09:00 – 09:30' }, '09:00', '09:30'],
  [{ start: '10 Dec 2026', allDay: 'TRUE' }, '00:00', '24:00'],
  [{ start: '2026-12-10', end: '2026-12-10', allDay: 'yes' }, '00:00', '24:00'],
  [{ start: '10 Dec 2026 00:00', end: '11 Dec 2026 00:00', allDay: 'True' }, '00:00', '24:00'],
  [{ start: '10 Dec 2026 9:00', end: '10 Dec 2026 10:00', allDay: 'True' }, '09:00', '10:00'],
])('%j has one reading and needs no order', async (row, from, until) => {
  await using testApp = await makeTestApp()
  const { caller } = await makeClinician(testApp)
  const { first, refused } = await caller.imports.check({ rows: rowsOf([row]) })
  expect(refused).toEqual([])
  const on = (time: string) =>
    time === '24:00' ? '2026-12-11T00:00:00.000Z' : `2026-12-10T${time}:00.000Z`
  expect(first).toMatchObject({ startsAt: on(from), endsAt: on(until) })
})

test('without an order, only rows that need it are refused', async () => {
  await using testApp = await makeTestApp()
  const { caller } = await makeClinician(testApp)
  const rows = rowsOf(
    ['03/04/2026 09:00', '31/12/2026 09:00', '05/05/2026 09:00'].map((start) => ({
      start,
      minutes: '30',
    })),
  )
  expect(await caller.imports.check({ rows })).toMatchObject({
    good: 2,
    refused: [{ line: 2, why: 'order_unknown' }],
  })
  const end = { line: 2, start: '10 Dec 2026 09:00', end: '03/04/2026 10:00' }
  expect((await caller.imports.check({ rows: [end] })).refused).toEqual([
    { line: 2, why: 'order_unknown' },
  ])
})

test('the first appointment is in the zone of its place, as the file has it', async () => {
  await using testApp = await makeTestApp()
  const austin = { name: 'Austin Practice', time_zone: 'America/Chicago', position: 1 }
  const { caller } = await makeClinician(testApp, { places: [{}, austin] })
  const check = async (place: string) => {
    const rows = rowsOf([{ start: '10/03/2026 09:00', minutes: '30', place }])
    return (await caller.imports.check({ dates: 'dmy', rows })).first
  }
  expect(await check('Austin Practice')).toMatchObject({
    startsAt: '2026-03-10T14:00:00.000Z',
    timeZone: 'America/Chicago',
  })
  expect(await check('')).toMatchObject({ timeZone: 'Europe/London' })
})

test('each refused row has a reason', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const patient = await makePatient(testApp)
  await bookVisit(patient.ctx, { providerId: clinician.id, startsAt: `${DAY}T14:00:00Z` })
  const at = { start: '10/03/2026 09:00' }
  expect(await refusalReason(clinician, { minutes: '30' })).toBe('start_missing')
  for (const start of ['soon', '31/02/2026 09:00', '10/03/2026', '09:00', '10/03/2026 25:00']) {
    expect(await refusalReason(clinician, { start, minutes: '30' })).toBe('date_bad')
  }
  expect(await refusalReason(clinician, { ...at, minutes: 'half an hour' })).toBe('date_bad')
  expect(await refusalReason(clinician, { ...at, end: 'later' })).toBe('date_bad')
  expect(await refusalReason(clinician, { start: '03/13/2026 09:00', minutes: '30' })).toBe(
    'date_bad',
  )
  expect(await refusalReason(clinician, { start: '29/03/2026 01:30', minutes: '30' })).toBe(
    'clock_skips',
  )
  expect(await refusalReason(clinician, { start: '01/03/2026 09:00', minutes: '30' })).toBe('past')
  expect(await refusalReason(clinician, { start: '10/03/2029 09:00', minutes: '30' })).toBe(
    'too_far',
  )
  expect(await refusalReason(clinician, at)).toBe('end_missing')
  expect(await refusalReason(clinician, { ...at, end: '08:00' })).toBe('ends_before')
  expect(await refusalReason(clinician, { ...at, minutes: '0' })).toBe('ends_before')
  expect(await refusalReason(clinician, { ...at, end: '12/03/2026 09:00' })).toBe('too_long')
  // A day of 25 hours.
  const autumn = { start: '25/10/2026 00:00', end: '26/10/2026 00:00' }
  expect(await refusalReason(clinician, autumn)).toBeNull()
  expect(await refusalReason(clinician, { ...at, minutes: '30', place: 'Elsewhere' })).toBe(
    'place_unknown',
  )
  expect(await refusalReason(clinician, { start: '10/03/2026 14:15', minutes: '30' })).toBe(
    'overlaps_visit',
  )
  expect(
    await refusalReason(clinician, { ...at, end: '9:45', place: 'borough practice' }),
  ).toBeNull()
  const twice = [
    { ...at, minutes: '30' },
    { ...at, minutes: '30' },
  ]
  expect(await add(clinician, twice)).toMatchObject({
    added: 1,
    refused: [{ line: 3, why: 'repeated' }],
  })
})

// Clocks in London go back from 02:00 to 01:00 on 25 October 2026.
test.each([
  ['01:30', '01:15', '2026-10-25T00:30', '2026-10-25T01:15'],
  ['01:30', '01:30', '2026-10-25T00:30', '2026-10-25T01:30'],
  ['01:30', '01:45', '2026-10-25T00:30', '2026-10-25T00:45'],
  ['01:30', '02:15', '2026-10-25T00:30', '2026-10-25T02:15'],
])('in the hour that occurs twice, %s to %s', async (start, end, startsAt, endsAt) => {
  await using testApp = await makeTestApp()
  const { caller } = await makeClinician(testApp)
  const rows = rowsOf([{ start: `25/10/2026 ${start}`, end: `25/10/2026 ${end}` }])
  const { first, refused } = await caller.imports.check({ dates: 'dmy', rows })
  expect(refused).toEqual([])
  expect(first).toMatchObject({ startsAt: `${startsAt}:00.000Z`, endsAt: `${endsAt}:00.000Z` })
})

test('an end before the hour that occurs twice is before its start', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  const row = { start: '25/10/2026 01:30', end: '25/10/2026 00:45' }
  expect(await refusalReason(clinician, row)).toBe('ends_before')
  const second = { start: '2026-10-25T01:30Z', end: '25/10/2026 01:15' }
  expect(await refusalReason(clinician, second)).toBe('ends_before')
})

test('a dry run writes nothing', async () => {
  await using testApp = await makeTestApp()
  const { caller } = await makeClinician(testApp)
  const rows = rowsOf([{ start: '10/03/2026 09:00', minutes: '30' }])
  expect(await caller.imports.check({ dates: 'dmy', rows })).toMatchObject({ good: 1, refused: [] })
  expect(await caller.imports.list({})).toEqual([])
})

test('malicious cells are plain text', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const start = '10/03/2026 09:00'
  const labels = [
    '=cmd|calc!A1',
    '\u202Eevil\u0007',
    "'); drop table busy_times; --",
    '💥'.repeat(90),
  ]
  for (const label of labels) await add(clinician, [{ start, minutes: '30', label }])
  const { stretches } = await clinician.caller.availability.explain({ date: DAY })
  expect(JSON.stringify(stretches)).not.toMatch(/\u202E|\\u0007/)
  expect(await refusalReason(clinician, { start: '9'.repeat(60), minutes: '30' })).toBe('date_bad')
  expect(await refusalReason(clinician, { start, minutes: '99999' })).toBe('too_long')
  await expect(add(clinician, [{ start: 'x'.repeat(101) }])).rejects.toThrow('Check')
})

/** Adds rows that are over to an import. */
function fill(testApp: TestApp, { no }: Clinician, importId: string | null, count: number) {
  const rows = Array.from({ length: count }, (_, at) => ({
    provider_no: no,
    source: 'import' as const,
    calendar_id: null,
    import_id: importId,
    key: `${importId} ${at}`,
    start_at: 1,
    end_at: 2,
    label: null,
  }))
  return insertBusy(testApp.database.db, rows)
}

test('an import has at most five thousand rows, of which those sent again are no more', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  const sent = [{ start: '10/03/2026 09:00', minutes: '30' }]
  const { importId } = await add(clinician, sent)
  await fill(testApp, clinician, importId, 4_999)
  expect(await add(clinician, sent, { importId })).toMatchObject({ added: 0, updated: 1 })
  const more = add(clinician, [{ start: '11/03/2026 09:00', minutes: '30' }], { importId })
  await expect(more).rejects.toMatchObject({ cause: { code: 'import_full' } })
})

test('a provider has at most twenty thousand imported appointments', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  const ids: (string | null)[] = []
  for (let day = 10; day < 14; day += 1) {
    const { importId } = await add(clinician, [{ start: `${day}/03/2026 09:00`, minutes: '30' }])
    await fill(testApp, clinician, importId, 4_999)
    ids.push(importId)
  }
  const row = [{ start: '20/03/2026 09:00', minutes: '30' }]
  await expect(add(clinician, row)).rejects.toMatchObject({ cause: { code: 'imports_full' } })
  await clinician.caller.imports.remove({ id: ids[0] ?? '' })
  expect(await add(clinician, row)).toMatchObject({ added: 1 })
})

test('appointments are deleted a month after they end, and the import with them', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await add(clinician, [{ start: '10/03/2026 09:00', minutes: '30' }])
  testApp.advance(30 * DAY_MS)
  await purgeImports(testApp.services)
  expect(await clinician.caller.imports.list({})).toHaveLength(1)
  testApp.advance(10 * DAY_MS)
  await purgeImports(testApp.services)
  expect(await clinician.caller.imports.list({})).toEqual([])
})

describeEngines('importing', (makeDatabase) => {
  test('the same file imported concurrently is stored once', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const rows = Array.from({ length: 200 }, (_, no) => ({
      start: `${(no % 28) + 1}/04/2026 ${9 + Math.floor(no / 28)}:00`,
      minutes: '30',
      externalId: `id ${no}`,
    }))
    await Promise.all([add(clinician, rows), add(clinician, rows), add(clinician, rows)])
    const { db } = testApp.database
    expect(await db.selectFrom('busy_times').select('key').execute()).toHaveLength(200)
    expect(await clinician.caller.imports.list({})).toMatchObject([{ rows: 200 }])
  })
})
