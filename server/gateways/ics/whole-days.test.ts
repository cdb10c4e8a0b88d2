import { afterEach, expect, test, vi } from 'vitest'
import { busyTimesIn } from './busy-times.ts'

const view = {
  from: Date.parse('2026-10-01T00:00:00Z'),
  until: Date.parse('2026-12-01T00:00:00Z'),
  timeZone: 'Europe/London',
  skipsAllDay: false,
}

function entry(...lines: string[]) {
  return ['BEGIN:VEVENT', 'UID:days', ...lines, 'END:VEVENT']
}

function busyIn(...entries: string[][]) {
  const text = ['BEGIN:VCALENDAR', ...entries.flat(), 'END:VCALENDAR'].join('\r\n')
  const { spans, unreadable } = busyTimesIn(text, view)
  expect(unreadable).toBe(0)
  return spans.map(({ start, end }) =>
    [start, end].map((at) => new Date(at).toISOString().slice(5, 16)).join('/'),
  )
}

const LONDON = 'TZID=Europe/London'

afterEach(() => vi.unstubAllEnvs())

// Clocks in London go back on 25 October 2026, a day of 25 hours there.
test.each<[what: string, lines: string[], busy: string[]]>([
  [
    'from Saturday to Monday at nine',
    [`DTSTART;${LONDON}:20261024T090000`, 'DURATION:P2D'],
    ['10-24T08:00/10-26T09:00'],
  ],
  [
    'two days and an hour',
    [`DTSTART;${LONDON}:20261024T090000`, 'DURATION:P2DT1H'],
    ['10-24T08:00/10-26T10:00'],
  ],
  [
    'as many hours, which are exact',
    [`DTSTART;${LONDON}:20261024T090000`, 'DURATION:PT48H'],
    ['10-24T08:00/10-26T08:00'],
  ],
  [
    'every week from Saturday to Monday',
    [`DTSTART;${LONDON}:20261017T090000`, 'DURATION:P2D', 'RRULE:FREQ=WEEKLY;COUNT=3'],
    ['10-17T08:00/10-19T08:00', '10-24T08:00/10-26T09:00', '10-31T09:00/11-02T09:00'],
  ],
  ['in UTC', ['DTSTART:20261024T090000Z', 'DURATION:P2D'], ['10-24T09:00/10-26T09:00']],
])('a duration of days counts by the calendar: %s', (_, lines, busy) => {
  expect(busyIn(entry(...lines))).toEqual(busy)
})

// A process may run in any zone: the calendar's counts.
test.each(['UTC', 'Europe/London', 'America/New_York'])('whole days, read in %s', (zone) => {
  vi.stubEnv('TZ', zone)
  const first = 'DTSTART;VALUE=DATE:20261025'
  for (const duration of ['P2D', 'PT48H']) {
    expect(busyIn(entry(first, `DURATION:${duration}`))).toEqual(['10-24T23:00/10-27T00:00'])
  }
  expect(busyIn(entry(first, 'DURATION:P1W'))).toEqual(['10-24T23:00/11-01T00:00'])
  const added = ['DTSTART;VALUE=DATE:20261006', 'DTEND;VALUE=DATE:20261007']
  expect(busyIn(entry(...added, 'RDATE;VALUE=DATE:20261025'))).toEqual([
    '10-05T23:00/10-06T23:00',
    '10-24T23:00/10-26T00:00',
  ])
})

test('the last of several whole days is the day of its instant in the calendar’s zone', () => {
  const days = ['DTSTART;VALUE=DATE:20261018', 'RRULE:FREQ=DAILY;UNTIL=20261020T230000Z']
  expect(busyIn(entry(...days))).toEqual(['10-17T23:00/10-21T23:00'])
})
