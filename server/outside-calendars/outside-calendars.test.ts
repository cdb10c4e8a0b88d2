import { expect, test } from 'vitest'
import { busyTimesIn } from '#server/gateways/ics/busy-times.ts'
import {
  makePatient,
  makeProviderAccount,
  signInOwner,
  signInProviderCaller,
} from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { DEFAULT_HOURS, makeClinician } from '#tests/harness/clinician.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import {
  type FakeOutsideCalendars,
  makeFakeOutsideCalendars,
} from '#tests/harness/servers/fake-gateways.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { readOutsideCalendars } from './read-calendars.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ADDRESS = 'webcal://calendar.example/private-7f3a/basic.ics'
const DAY = '2026-03-10'
const refusal = (code: string) => ({ cause: { code } })

/** A provider with the usual hours and a calendar with busy times. */
async function open(testApp: TestApp, outside: FakeOutsideCalendars, ...busy: string[]) {
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  outside.setBusy(...busy)
  const { outsideCalendars } = clinician.caller
  const calendar = await outsideCalendars.add({ name: 'Family', address: ADDRESS })
  return { clinician, calendar, outsideCalendars, free: () => clinician.free(DAY, 1) }
}

async function later(testApp: TestApp, ms: number): Promise<void> {
  testApp.advance(ms)
  await readOutsideCalendars(testApp.services)
}

test('busy times of a calendar are not offered, and are offered again once free', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { calendar, free, outsideCalendars } = await open(testApp, outside, `${DAY}T13:10/15:00`)
  expect(calendar).toMatchObject({ host: 'calendar.example', failure: null, busy: 1 })
  expect(calendar.readAt).toBe('2026-03-02T09:00:00.000Z')
  const afternoon = (await free()).filter((time) => time > `${DAY}T12`)
  expect(afternoon).toEqual(['T15:00', 'T15:30', 'T16:00', 'T16:30'].map((time) => DAY + time))
  outside.setBusy(`${DAY}T09:00/10:00`)
  await later(testApp, 16 * MINUTE)
  expect(await free()).not.toContain(`${DAY}T09:30`)
  expect(await free()).toContain(`${DAY}T13:00`)
  await outsideCalendars.remove({ id: calendar.id })
  expect(await free()).toHaveLength(14)
  expect((await outsideCalendars.list({})).calendars).toEqual([])
})

test('a calendar is read every quarter of an hour, with conditional requests', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { outsideCalendars } = await open(testApp, outside, `${DAY}T09:00/10:00`)
  await later(testApp, 10 * MINUTE)
  expect(outside.reads).toHaveLength(1)
  await later(testApp, 6 * MINUTE)
  await later(testApp, 16 * MINUTE)
  expect(outside.reads.map(({ known }) => known.etag)).toEqual([null, '"2"', '"2"'])
  const [calendar] = (await outsideCalendars.list({})).calendars
  expect(calendar).toMatchObject({ readAt: '2026-03-02T09:32:00.000Z', busy: 1 })
  // The next day a new day comes into view, for which "not modified" would say nothing.
  await later(testApp, 24 * HOUR)
  expect(outside.reads.at(-1)?.known.etag).toBeNull()
})

test('only the days that can be booked are read, in the zone of the main place', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { clinician } = await open(testApp, outside)
  const [first] = outside.reads
  expect(first?.address).toBe('https://calendar.example/private-7f3a/basic.ics')
  expect(first?.view).toMatchObject({
    from: Date.parse('2026-03-02T00:00:00Z'),
    until: Date.parse('2026-05-03T23:00:00Z'),
    timeZone: 'Europe/London',
  })
  await clinician.save(DEFAULT_HOURS, { horizonDays: 90 })
  await later(testApp, MINUTE)
  expect(outside.reads).toHaveLength(2)
})

test('a failing calendar keeps its busy times, shows since when, and is emailed about once', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { provider, account } = await makeProviderAccount(testApp)
  const { caller } = await signInOwner(testApp, provider, account)
  outside.setBusy(`${DAY}T09:00/10:00`)
  await caller.outsideCalendars.add({ name: 'Family', address: ADDRESS })
  outside.fail('refused')
  await later(testApp, 16 * MINUTE)
  const [failing] = (await caller.outsideCalendars.list({})).calendars
  expect(failing).toMatchObject({
    readAt: '2026-03-02T09:00:00.000Z',
    failingSince: '2026-03-02T09:16:00.000Z',
    failure: 'refused',
    busy: 1,
  })
  await later(testApp, 23 * HOUR)
  await testApp.drainOutbox()
  expect(testApp.mails).toHaveLength(0)
  await later(testApp, 5 * HOUR)
  await later(testApp, 5 * HOUR)
  await testApp.drainOutbox()
  expect(testApp.mails.map(({ to, subject }) => [to, subject])).toEqual([
    [account.email, 'We can’t read one of your calendars'],
  ])
  expect(testApp.mails[0]?.text).toContain('refused to show it')
  expect(JSON.stringify(testApp.mails)).not.toContain('private-7f3a')
})

test.each(['address', 'own', 'gone', 'no_calendar', 'too_complex'] as const)(
  'an address that fails permanently is not added: %s',
  async (failure) => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ outside })
    const { caller } = await makeClinician(testApp)
    outside.fail(failure)
    const added = caller.outsideCalendars.add({ name: 'Family', address: ADDRESS })
    await expect(added).rejects.toMatchObject(refusal('outside_calendar_refused'))
    expect((await caller.outsideCalendars.list({})).calendars).toEqual([])
  },
)

test('a server that does not respond is retried later', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { caller } = await makeClinician(testApp)
  outside.fail('slow')
  const added = await caller.outsideCalendars.add({ name: 'Family', address: ADDRESS })
  expect(added).toMatchObject({ readAt: null, failure: 'slow', busy: 0 })
  outside.setBusy(`${DAY}T09:00/10:00`)
  const read = await caller.outsideCalendars.readNow({ id: added.id })
  expect(read).toMatchObject({ failure: null, busy: 1 })
})

test('at most five calendars, without duplicates', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { caller } = await makeClinician(testApp)
  const add = (no: number) =>
    caller.outsideCalendars.add({ name: 'One', address: `https://calendar.example/${no}.ics` })
  for (let no = 0; no < 5; no += 1) await add(no)
  await expect(add(5)).rejects.toMatchObject(refusal('outside_calendars_full'))
  await expect(add(0)).rejects.toMatchObject(refusal('outside_calendar_known'))
})

test('a booked visit in busy time stays, and is listed as a clash with the calendars', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const patient = await makePatient(testApp)
  const visit = { providerId: clinician.id, startsAt: `${DAY}T14:00:00Z` }
  const id = await bookVisit(patient.ctx, visit)
  outside.setBusy(`${DAY}T14:15/16:00`)
  const { outsideCalendars } = clinician.caller
  await outsideCalendars.add({ name: 'Family', address: ADDRESS })
  await outsideCalendars.add({ name: 'Club', address: 'https://club.example/a.ics' })
  const { clashes } = await outsideCalendars.list({})
  expect(clashes).toMatchObject([
    { id, patient: 'Maya Ellis', startsAt: `${DAY}T14:00:00.000Z`, with: ['Family', 'Club'] },
  ])
  const claims = await testApp.database.db.selectFrom('slot_claims').selectAll().execute()
  expect(claims).toHaveLength(1)
})

test('exported visits in a calendar do not count, visits with other providers do', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const patient = await makePatient(testApp)
  const visit = { providerId: clinician.id, startsAt: `${DAY}T14:00:00Z` }
  const id = await bookVisit(patient.ctx, visit)
  const span = (from: string, to: string) => ({
    start: Date.parse(`${DAY}T${from}Z`),
    end: Date.parse(`${DAY}T${to}Z`),
  })
  outside.own.push({ id, ...span('14:00', '14:30') })
  outside.own.push({ id: `apt_${'z'.repeat(26)}`, ...span('16:00', '16:30') })
  outside.setBusy()
  const { outsideCalendars } = clinician.caller
  const calendar = await outsideCalendars.add({ name: 'Family', address: ADDRESS })
  expect(calendar.busy).toBe(1)
  expect((await outsideCalendars.list({})).clashes).toEqual([])
  expect(await clinician.free(DAY, 1)).not.toContain(`${DAY}T16:00`)
})

test('the day shows where a calendar blocks time, without its contents', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { clinician } = await open(testApp, outside, `${DAY}T13:00/15:00`)
  const explained = await clinician.caller.availability.explain({ date: DAY, time: '14:00' })
  const stretches = explained.stretches.map(({ text }) => text)
  expect(stretches).toContain('13:00 to 15:00: Busy in another calendar')
  const text = 'You’re busy at this time in a calendar you added.'
  expect(explained.answer?.reasons).toEqual([{ reason: 'outside_calendar', text }])
  const preview = await clinician.caller.availability.preview({ from: DAY, days: 1 })
  expect(preview.days[0]?.free).toBe(10)
})

test('all-day events count or not, and changing that reads the calendar again', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { calendar, outsideCalendars } = await open(testApp, outside)
  const { id } = calendar
  const changed = await outsideCalendars.change({ id, name: 'Home', skipsAllDay: true })
  expect(changed).toMatchObject({ name: 'Home', skipsAllDay: true })
  expect(outside.reads.map(({ known, view }) => [known.etag, view.skipsAllDay])).toEqual([
    [null, false],
    [null, true],
  ])
})

test('renaming does not read a calendar; changing its address does', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { calendar, outsideCalendars, free } = await open(testApp, outside, `${DAY}T09:00/10:00`)
  const { id } = calendar
  const change = (more: object) =>
    outsideCalendars.change({ id, name: 'Home', skipsAllDay: false, ...more })
  expect(await change({})).toMatchObject({ name: 'Home', host: 'calendar.example', busy: 1 })
  expect(await change({ address: ADDRESS })).toMatchObject({ busy: 1 })
  expect(outside.reads).toHaveLength(1)
  outside.setBusy(`${DAY}T13:00/15:00`, '2026-03-11T13:00/15:00')
  const moved = await change({ address: 'https://club.example/private-7f3b.ics' })
  expect(moved).toMatchObject({ host: 'club.example', busy: 2, failure: null })
  expect(await free()).toContain(`${DAY}T09:30`)
  expect(await free()).not.toContain(`${DAY}T14:00`)
  // From then on the new address is read, with its own ETag.
  await later(testApp, 16 * MINUTE)
  expect(outside.reads.at(-1)).toMatchObject({
    address: 'https://club.example/private-7f3b.ics',
    known: { etag: '"3"' },
  })
  const { db } = testApp.database
  const audit = await db.selectFrom('audit').select(['action', 'details']).execute()
  const said = audit.filter(({ action }) => action === 'outside_calendar.changed')
  expect(said.map(({ details }) => details)).toEqual([
    expect.stringContaining('"name"'),
    expect.stringContaining('""'),
    expect.stringContaining('"address"'),
  ])
  expect(JSON.stringify([audit, testApp.logged])).not.toContain('private-7f3')
})

test('an invalid new address is refused, and the calendar is unchanged', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const opened = await open(testApp, outside, `${DAY}T09:00/10:00`)
  const { calendar, outsideCalendars, free } = opened
  const { id } = calendar
  await outsideCalendars.add({ name: 'Club', address: 'https://club.example/a.ics' })
  const change = (address: string) =>
    outsideCalendars.change({ id, name: 'Home', skipsAllDay: true, address })
  const known = change('https://club.example/a.ics')
  await expect(known).rejects.toMatchObject(refusal('outside_calendar_known'))
  outside.fail('gone')
  const gone = change('https://club.example/b.ics')
  await expect(gone).rejects.toMatchObject(refusal('outside_calendar_refused'))
  const [first] = (await outsideCalendars.list({})).calendars
  expect(first).toEqual(calendar)
  const { caller } = await makeClinician(testApp)
  const stolen = caller.outsideCalendars.change({ id, name: 'Mine', skipsAllDay: false })
  await expect(stolen).rejects.toMatchObject(refusal('not_found'))
  expect(await free()).not.toContain(`${DAY}T09:30`)
})

test('a new address that does not respond keeps the busy times, and counts as failing from now on', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { calendar, outsideCalendars } = await open(testApp, outside, `${DAY}T09:00/10:00`)
  outside.fail('refused')
  await later(testApp, 25 * HOUR)
  outside.fail('slow')
  const address = 'https://club.example/b.ics'
  const change = { id: calendar.id, name: 'Family', skipsAllDay: false, address }
  const changed = await outsideCalendars.change(change)
  expect(changed).toMatchObject({ failure: 'slow', busy: 1, host: 'club.example' })
  expect(changed.failingSince).toBe('2026-03-03T10:00:00.000Z')
})

test('a late response of an old address is discarded', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { calendar, outsideCalendars, clinician } = await open(testApp, outside)
  const read: typeof outside.read = outside.read.bind(outside)
  const slow = Promise.withResolvers<void>()
  outside.setBusy(`${DAY}T09:00/10:00`)
  outside.read = async (...asked) => {
    const answer = await read(...asked)
    await slow.promise
    return answer
  }
  testApp.advance(16 * MINUTE)
  const reading = readOutsideCalendars(testApp.services)
  await expect.poll(() => outside.reads.length).toBe(2)
  outside.read = read
  outside.setBusy(`${DAY}T13:00/15:00`)
  const address = 'https://club.example/b.ics'
  const change = { id: calendar.id, name: 'Family', skipsAllDay: false, address }
  await outsideCalendars.change(change)
  slow.resolve()
  await reading
  expect(await clinician.free(DAY, 1)).toContain(`${DAY}T09:30`)
  expect(await clinician.free(DAY, 1)).not.toContain(`${DAY}T14:00`)
})

test('the address is never stored in plain text, and each action is audited', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { calendar, outsideCalendars } = await open(testApp, outside)
  await outsideCalendars.change({ id: calendar.id, name: 'Home', skipsAllDay: false })
  await outsideCalendars.remove({ id: calendar.id })
  const { db } = testApp.database
  const audit = await db.selectFrom('audit').select(['action', 'details', 'entity']).execute()
  expect(audit.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'outside_calendar.added',
      'outside_calendar.changed',
      'outside_calendar.removed',
    ]),
  )
  const kept = await db.selectFrom('outside_calendars').selectAll().execute()
  const outbox = await db.selectFrom('outbox').selectAll().execute()
  expect(JSON.stringify([audit, kept, outbox, testApp.logged])).not.toContain('private-7f3a')
})

test('erasing an account deletes its calendars, and the export has them before', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { account } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  outside.setBusy(`${DAY}T09:00/10:00`)
  await browser.act('outsideCalendars.add', { name: 'Family', address: ADDRESS })
  const { data } = await browser.act('profiles.exportData')
  expect(data).toMatchObject({ outside_calendars: [{ name: 'Family', host: 'calendar.example' }] })
  expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
  const { db } = testApp.database
  expect(await db.selectFrom('outside_calendars').select('id').execute()).toEqual([])
  expect(await db.selectFrom('busy_times').select('start_at').execute()).toEqual([])
})

test('at most thirty requested readings an hour', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { calendar, outsideCalendars } = await open(testApp, outside)
  for (let count = 1; count < 30; count += 1) await outsideCalendars.readNow({ id: calendar.id })
  const read = outsideCalendars.readNow({ id: calendar.id })
  await expect(read).rejects.toMatchObject(refusal('rate_limited'))
})

const FEED_ADDRESS = 'https://calendar.example/all.ics'

describeEngines('desk visits that come back through an outside calendar', (makeDatabase) => {
  test('do not count: a moved one frees its old time', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const desk = await signInProviderCaller(testApp, clinician)
    const { id } = await desk.booking.addDesk({
      kind: 'walk_in',
      name: 'Ida Rowe',
      slot: { date: DAY, time: '14:00' },
    })
    const [start, end] = [Date.parse(`${DAY}T14:00Z`), Date.parse(`${DAY}T14:30Z`)]
    const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `UID:${id}@apposite`]
      .concat('DTSTART:20260310T140000Z', 'DTEND:20260310T143000Z', 'END:VEVENT', 'END:VCALENDAR')
      .join('\r\n')
    const view = { from: start - 86_400_000, until: end + 86_400_000, timeZone: 'Europe/London' }
    const read = busyTimesIn(text, { ...view, skipsAllDay: false })
    expect(read).toMatchObject({ spans: [], own: [{ id, start, end }] })
    outside.own.push(...read.own)
    const atFour = { start: start + 2 * HOUR, end: end + 2 * HOUR }
    outside.own.push({ id: `dsk_${'z'.repeat(26)}`, ...atFour })
    outside.setBusy()
    const calendar = await desk.outsideCalendars.add({ name: 'All', address: FEED_ADDRESS })
    expect(calendar.busy).toBe(1)
    await desk.booking.moveDesk({ id, sequence: 0, slot: { date: DAY, time: '15:00' } })
    const free = await clinician.free(DAY, 1)
    expect(free).toContain(`${DAY}T14:00`)
    // Somebody else's desk visit, of which the viewer is the patient.
    expect(free).not.toContain(`${DAY}T16:00`)
    expect((await desk.outsideCalendars.list({})).clashes).toEqual([])
    await desk.booking.moveDesk({ id, sequence: 1, slot: { date: DAY, time: '16:15' } })
    const { clashes } = await desk.outsideCalendars.list({})
    expect(clashes).toMatchObject([{ id, patient: 'Walk-in patient', with: ['All'] }])
  })
})
