import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { busyTimesIn } from '#server/gateways/ics/busy-times.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

type Made = Parameters<typeof makeProvider>[1]

async function fileOf(testApp: TestApp, start: string, made: Made = {}) {
  const provider = await makeProvider(testApp, { slots: [Date.parse(start)], ...made })
  const { ctx, caller } = await makePatient(testApp)
  const id = await bookVisit(ctx, { providerId: provider.id, startsAt: start })
  return { id, caller, ...(await caller.booking.calendar({ id })) }
}

/** Logical lines, with folded ones unfolded. */
function unfolded(text: string): string[] {
  return text.replaceAll('\r\n ', '').split('\r\n')
}

test('the file has the visit, its place and the clinic’s local time with its zone', async () => {
  await using testApp = await makeTestApp()
  const { id, fileName, text } = await fileOf(testApp, '2026-07-14T13:30:00Z', {
    place: { phone: '020 7946 0000' },
  })
  expect(fileName).toBe('visit-2026-07-14.ics')
  expect(unfolded(text)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Apposite//Apposite//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VTIMEZONE',
    'TZID:Europe/London',
    'BEGIN:DAYLIGHT',
    'DTSTART:20260329T010000',
    'TZOFFSETFROM:+0000',
    'TZOFFSETTO:+0100',
    'TZNAME:BST',
    'END:DAYLIGHT',
    'BEGIN:STANDARD',
    'DTSTART:20261025T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0000',
    'TZNAME:GMT',
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    `UID:${id}@apposite`,
    'SEQUENCE:0',
    'DTSTAMP:20260302T090000Z',
    'DTSTART;TZID=Europe/London:20260714T143000',
    'DTEND;TZID=Europe/London:20260714T150000',
    'SUMMARY:Visit to Dr Amara Okafor',
    'LOCATION:Borough Practice\\, 12 Harper Road\\, London\\, SE1 6ET',
    'GEO:51.4965;-0.0985',
    `DESCRIPTION:Reference: ${referenceOf(id)}\\nPractice phone: 020 7946 0000\\nhttp://localhost:3000/userProfile`,
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
    'CLASS:PRIVATE',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('lines are at most 75 octets, and text cannot break out of its line', async () => {
  await using testApp = await makeTestApp()
  const name =
    'Łódź; Praxis, “Grün” \\ 健康中心 健康中心 健康中心 健康中心 健康中心 🏥🏥🏥🏥\nBEGIN:VALARM'
  const { text } = await fileOf(testApp, '2026-07-14T13:30:00Z', { place: { name } })
  const lines = text.split('\r\n')
  expect(lines.length).toBeGreaterThan(35)
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
  expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  expect(text).not.toMatch(/^BEGIN:VALARM/m)
  expect(unfolded(text)).toContain(
    'LOCATION:Łódź\\; Praxis\\, “Grün” \\\\ 健康中心 健康中心 健康中心 健康中心 健康中心 🏥🏥🏥🏥\\nBEGIN:VALARM\\, 12 Harper Road\\, London\\, SE1 6ET',
  )
})

test('a zone without clock changes has one rule', async () => {
  await using testApp = await makeTestApp()
  const { text } = await fileOf(testApp, '2026-07-14T20:30:00Z', {
    region: 'usa',
    place: { time_zone: 'Etc/GMT+7' },
  })
  expect(unfolded(text).slice(5, 14)).toEqual([
    'BEGIN:VTIMEZONE',
    'TZID:Etc/GMT+7',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:-0700',
    'TZOFFSETTO:-0700',
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
  ])
})

test('a repeated hour is the right one of the two', async () => {
  await using testApp = await makeTestApp()
  for (const [start, kind] of [
    ['2026-10-25T00:30:00Z', 'DAYLIGHT'],
    ['2026-10-25T01:30:00Z', 'STANDARD'],
  ] as const) {
    const { text } = await fileOf(testApp, start)
    const lines = unfolded(text)
    // In UTC: calendars read local times as the first of the two, also the end of the first half hour.
    expect(lines).toContain(`DTSTART:${start.replaceAll(/[-:]/g, '')}`)
    // The rule in force at the visit comes first.
    expect(lines.find((line) => /^BEGIN:(DAYLIGHT|STANDARD)$/.test(line))).toBe(`BEGIN:${kind}`)
    const found = busyTimesIn(text.replace(/UID:.*/, 'UID:x'), {
      from: Date.parse('2026-10-24T00:00:00Z'),
      until: Date.parse('2026-10-26T00:00:00Z'),
      timeZone: 'Europe/London',
      skipsAllDay: false,
    })
    const at = Date.parse(start)
    expect(found.spans).toEqual([{ start: at, end: at + 1_800_000 }])
  }
})
