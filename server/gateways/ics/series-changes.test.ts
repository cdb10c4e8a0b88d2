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

const toLondon = (day: string) => `TZID=Europe/London:202603${day}T090000`
const moved = [`DTSTART;${toLondon('12')}`, 'DURATION:PT1H']
const cancelled = [`DTSTART;${toLondon('09')}`, 'DURATION:PT1H', 'STATUS:CANCELLED']
const [TWELFTH, TWENTIETH] = ['12', '20'].map((day) => `03-${day}T09:00/03-${day}T10:00`)

test.each<[what: string, dates: string[], change: string[], busy: (string | undefined)[]]>([
  ['moved', [`RDATE;${toLondon('20')}`], moved, [TWELFTH, TWENTIETH]],
  [
    'moved, and named as one of the dates',
    [`RDATE;${toLondon('09')},20260320T090000`],
    moved,
    [TWELFTH, TWENTIETH],
  ],
  ['cancelled', [`RDATE;${toLondon('20')}`], cancelled, [TWENTIETH]],
  ['moved, of one date only', [], moved, [TWELFTH]],
  ['cancelled, of one date only', [], cancelled, []],
])('the first of several dates without a rule can be %s', (_, dates, change, busy) => {
  const base = entry(...AT_NINE, ...dates)
  for (const named of [toLondon('09'), '20260309T090000', 'VALUE=DATE:20260309']) {
    const id = named.startsWith('2') ? `RECURRENCE-ID:${named}` : `RECURRENCE-ID;${named}`
    expect(busyIn([base, entry(id, ...change)])).toEqual(busy)
    expect(busyIn([entry(id, ...change), base])).toEqual(busy)
  }
})

test('the first of several dates without a rule can be left out', () => {
  const dates = [`RDATE;${toLondon('20')}`, `EXDATE;${toLondon('09')}`]
  expect(busyIn([entry(...AT_NINE, ...dates)])).toEqual([TWENTIETH])
})

test('the first of several days without a rule can be moved, left out or cancelled', () => {
  const days = entry(...ALL_DAY, 'RDATE;VALUE=DATE:20260320')
  const id = 'RECURRENCE-ID;VALUE=DATE:20260309'
  const [nine, twelve, twenty] = [9, 12, 20].map(
    (day) => `03-${String(day).padStart(2, '0')}T00:00/03-${day + 1}T00:00`,
  )
  expect(busyIn([days])).toEqual([nine, twenty])
  expect(busyIn([days, entry(id, 'DTSTART;VALUE=DATE:20260312')])).toEqual([twelve, twenty])
  const gone = entry(id, 'DTSTART;VALUE=DATE:20260309', 'STATUS:CANCELLED')
  expect(busyIn([days, gone])).toEqual([twenty])
  const excluded = entry(...ALL_DAY, 'RDATE;VALUE=DATE:20260320', 'EXDATE;VALUE=DATE:20260309')
  expect(busyIn([excluded])).toEqual([twenty])
})

test('a change of the first of several dates and all later ones applies to each', () => {
  const base = entry(...AT_NINE, `RDATE;${toLondon('20')}`)
  const change = entry(
    `RECURRENCE-ID;RANGE=THISANDFUTURE;${toLondon('09')}`,
    'DTSTART;TZID=Europe/London:20260309T150000',
    'DURATION:PT30M',
  )
  expect(busyIn([base, change])).toEqual(['03-09T15:00/03-09T15:30', '03-20T15:00/03-20T15:30'])
})
