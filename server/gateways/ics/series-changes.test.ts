import { afterEach, expect, test, vi } from 'vitest'
import { busyTimesIn } from './busy-times.ts'

const view = {
  from: Date.parse('2026-03-02T00:00:00Z'),
  until: Date.parse('2026-03-28T00:00:00Z'),
  timeZone: 'Europe/London',
  skipsAllDay: false,
}

function entry(...lines: string[]) {
  return ['BEGIN:VEVENT', 'UID:series', ...lines, 'END:VEVENT']
}

function busyIn(entries: readonly string[][], more: Partial<typeof view> = {}) {
  const text = ['BEGIN:VCALENDAR', ...entries.flat(), 'END:VCALENDAR'].join('\r\n')
  const { spans, unreadable } = busyTimesIn(text, { ...view, ...more })
  expect(unreadable).toBe(0)
  return spans.map(({ start, end }) =>
    [start, end].map((at) => new Date(at).toISOString().slice(5, 16)).join('/'),
  )
}

const AT_NINE = ['DTSTART;TZID=Europe/London:20260309T090000', 'DURATION:PT1H']
const ALL_DAY = ['DTSTART;VALUE=DATE:20260309', 'DTEND;VALUE=DATE:20260310']
const WEEKLY = 'RRULE:FREQ=WEEKLY;COUNT=3'

afterEach(() => vi.unstubAllEnvs())

// A process may run in any zone: the calendar's counts.
test.each(['UTC', 'America/New_York', 'Pacific/Auckland'])(
  'a change of kind, read in %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    const whole = ['DTSTART;VALUE=DATE:20260317', 'DTEND;VALUE=DATE:20260319']
    for (const named of ['TZID=Europe/London:20260316T090000', 'VALUE=DATE:20260316']) {
      const entries = [entry(...AT_NINE, WEEKLY), entry(`RECURRENCE-ID;${named}`, ...whole)]
      expect(busyIn(entries)).toEqual([
        '03-09T09:00/03-09T10:00',
        '03-17T00:00/03-19T00:00',
        '03-23T09:00/03-23T10:00',
      ])
      expect(busyIn(entries, { skipsAllDay: true })).toEqual([
        '03-09T09:00/03-09T10:00',
        '03-23T09:00/03-23T10:00',
      ])
    }
    const timed = ['DTSTART;TZID=Europe/London:20260317T090000', 'DURATION:PT1H']
    const entries = [
      entry(...ALL_DAY, WEEKLY),
      entry('RECURRENCE-ID;VALUE=DATE:20260316', ...timed),
    ]
    expect(busyIn(entries)).toEqual([
      '03-09T00:00/03-10T00:00',
      '03-17T09:00/03-17T10:00',
      '03-23T00:00/03-24T00:00',
    ])
  },
)
