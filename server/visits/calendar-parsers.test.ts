import { expect, test } from 'vitest'
import { referenceOf } from '#contract/ids.ts'
import { type ParsedEvent, parseCalendar } from '#tests/harness/parsed-calendar.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { parseStrictCalendar } from '#tests/harness/strict-calendar.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

/** What a third-party parser finds in a file; the strict reader must find the same. */
function parsed(text: string): ParsedEvent {
  const [event, ...more] = parseCalendar(text)
  if (event === undefined || more.length > 0) throw new Error('Not one event.')
  const [strict] = parseStrictCalendar(text).events
  const { method: _method, timeZone: _zone, organizer: _from, attendee: _to, ...both } = event
  expect(strict).toMatchObject(both)
  return event
}

type Made = Parameters<typeof makeProvider>[1]

/** Books a visit and cancels it: returns the downloadable file and those of the two emails. */
async function filesOf(testApp: TestApp, startsAt: string, made: Made = {}) {
  const provider = await makeProvider(testApp, { slots: [Date.parse(startsAt)], ...made })
  const { account, ctx, caller } = await makePatient(testApp)
  const id = await bookVisit(ctx, { providerId: provider.id, startsAt })
  await testApp.drainOutbox()
  const { text: fetched } = await caller.booking.calendar({ id })
  const { sequence, refund } = await caller.visits.terms({ id })
  await caller.visits.cancel({ id, sequence, refund })
  await testApp.drainOutbox()
  const mailed = testApp.mails
    .filter(({ to }) => to === account.email)
    .flatMap(({ files = [] }) => files.map(({ text }) => text))
  const [request = '', cancel = ''] = mailed
  return { id, account, fetched, request, cancel }
}

test('a calendar takes the cancellation for a later state of the very event it was sent', async () => {
  await using testApp = await makeTestApp()
  const files = await filesOf(testApp, '2026-07-14T13:30:00Z')
  const { id, account } = files
  const [request, cancel, fetched] = [
    parsed(files.request),
    parsed(files.cancel),
    parsed(files.fetched),
  ]
  expect(request).toEqual({
    uid: `${id}@apposite`,
    method: 'REQUEST',
    sequence: 0,
    status: 'CONFIRMED',
    start: '2026-07-14T13:30:00Z',
    end: '2026-07-14T14:00:00Z',
    timeZone: 'Europe/London',
    summary: 'Visit to Dr Amara Okafor',
    location: 'Borough Practice, 12 Harper Road, London, SE1 6ET',
    description: `Reference: ${referenceOf(id)}\nhttp://localhost:3000/userProfile`,
    organizer: 'mailto:no-reply@apposite.example',
    attendee: `mailto:${account.email}`,
  })
  expect(cancel).toEqual({ ...request, method: 'CANCEL', sequence: 1, status: 'CANCELLED' })
  expect(fetched).toEqual({ ...request, method: 'PUBLISH', organizer: null, attendee: null })
})

test.each([
  // Around clock changes. The hour that occurs twice is left out: RFC 5545 means its first occurrence, which
  // the strict reader follows and this parser does not.
  ['Europe/London', '2026-03-29T00:30:00Z'],
  ['Europe/London', '2026-03-29T01:30:00Z'],
  ['Europe/London', '2026-03-30T08:00:00Z'],
  ['Europe/London', '2026-10-24T22:30:00Z'],
  ['Europe/London', '2026-10-25T02:30:00Z'],
  ['Europe/London', '2026-10-26T09:00:00Z'],
  ['America/New_York', '2026-03-08T06:30:00Z'],
  ['America/New_York', '2026-03-08T07:30:00Z'],
  ['America/New_York', '2026-11-01T03:30:00Z'],
  ['America/New_York', '2026-11-01T07:30:00Z'],
  ['America/Los_Angeles', '2026-03-08T18:00:00Z'],
  ['America/Phoenix', '2026-07-14T20:30:00Z'],
  ['America/Anchorage', '2026-11-01T18:00:00Z'],
  ['Pacific/Honolulu', '2026-12-24T20:00:00Z'],
] as const)(
  'in %s a visit at %s is at that instant, in the zone of the practice',
  async (timeZone, startsAt) => {
    await using testApp = await makeTestApp()
    const isUk = timeZone === 'Europe/London'
    const files = await filesOf(testApp, startsAt, {
      region: isUk ? 'uk' : 'usa',
      place: { time_zone: timeZone },
    })
    for (const text of [files.request, files.cancel, files.fetched]) {
      expect(parsed(text)).toMatchObject({ start: startsAt, timeZone })
    }
  },
)

test.each([
  'Praxis Dr. Müller; Gemeinschaftspraxis, Haus “Süd” \\ Eingang B',
  'Łódź Żółć 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心 健康中心',
  '👩🏽‍⚕️ 👨‍👩‍👧‍👦 🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥🏥 Clínica',
  'مركز الصحة مركز الصحة مركز الصحة مركز الصحة مركز الصحة مركز الصحة',
  `${'A'.repeat(63)}é${'B'.repeat(72)}ø${'C'.repeat(71)}日`,
  'Line one\nBEGIN:VEVENT\nUID:other\r\nMETHOD:PUBLISH',
])('no name breaks out of its line, or is cut in the middle of a character: %s', async (name) => {
  await using testApp = await makeTestApp()
  const files = await filesOf(testApp, '2026-07-14T13:30:00Z', { place: { name } })
  const said = name.replaceAll('\r\n', '\n')
  for (const text of [files.request, files.cancel, files.fetched]) {
    expect(parsed(text).location).toBe(`${said}, 12 Harper Road, London, SE1 6ET`)
  }
})
