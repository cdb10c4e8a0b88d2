import { expect, test } from 'vitest'
import {
  type CalendarFile,
  hostileCalendars,
  outlookCalendars,
} from '#tests/harness/calendar-files.ts'
import { publishedCalendars } from '#tests/harness/published-calendars.ts'
import { type BusyTimes, busyTimesIn } from './busy-times.ts'
import type { CalendarView } from './entry-reader.ts'
import { readCalendar } from './read-calendar.ts'

function viewOf({ timeZone = 'Europe/London', skipsAllDay = false }: Partial<CalendarFile>) {
  const from = Date.parse('2026-03-02T00:00:00Z')
  const until = Date.parse('2026-04-12T23:00:00Z')
  return { from, until, timeZone, skipsAllDay } satisfies CalendarView
}

function formatSpans({ spans }: Pick<BusyTimes, 'spans'>): string[] {
  return spans.map(({ start, end }) => {
    const [from, to] = [start, end].map((at) => new Date(at).toISOString().slice(0, 16))
    return `${from}/${from?.slice(0, 10) === to?.slice(0, 10) ? to?.slice(11) : to}`
  })
}

const files = [...publishedCalendars, ...outlookCalendars]

test('there are at least forty files', () => {
  expect(files.length + hostileCalendars.length).toBeGreaterThanOrEqual(40)
})

test.each(files)('$name', (file) => {
  const found = busyTimesIn(file.text, viewOf(file))
  expect(formatSpans(found)).toEqual(file.busy)
  expect(found.unreadable).toBe(file.unreadable ?? 0)
})

test.each(hostileCalendars)('read in its own thread: $name', async (file) => {
  const found = await readCalendar(file.text, viewOf(file), { ms: 20_000, memoryMb: 256 })
  expect(formatSpans(found)).toEqual(file.busy)
  expect(found.unreadable).toBe(file.unreadable ?? 0)
})

const calendar = (lines: readonly string[]) =>
  ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')
const entry = (no: number, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${no}`,
  'DTSTART:20260310T090000Z',
  'DTEND:20260310T100000Z',
  ...lines,
  'END:VEVENT',
]

test.each([
  ['a page of a website', '<!doctype html><title>Sign in</title>'],
  ['nothing', ''],
  ['a picture', `\uFFFDPNG\r\n\u001A\n${'\0'.repeat(100_000)}`],
])('%s is not a calendar', async (_, text) => {
  await expect(readCalendar(text, viewOf({}))).rejects.toMatchObject({ failure: 'no_calendar' })
})

test('a calendar with too many entries is refused', async () => {
  const all = Array.from({ length: 20_001 }, (_, no) => entry(no)).flat()
  await expect(readCalendar(calendar(all), viewOf({}))).rejects.toMatchObject({
    failure: 'too_complex',
  })
})

test('too many busy periods are refused, and very many are read in time', async () => {
  const lines = (count: number) => [
    'BEGIN:VFREEBUSY',
    ...Array.from({ length: count / 100 }, (_, no) => {
      const day = String(1 + (no % 28)).padStart(2, '0')
      return `FREEBUSY:${Array.from({ length: 100 }, () => `202603${day}T090000Z/PT1H`).join(',')}`
    }),
    'END:VFREEBUSY',
  ]
  await expect(readCalendar(calendar(lines(60_100)), viewOf({}))).rejects.toMatchObject({
    failure: 'too_complex',
  })
  const { spans } = await readCalendar(calendar(lines(60_000)), viewOf({}), {
    ms: 20_000,
    memoryMb: 128,
  })
  expect(spans).toHaveLength(27)
})

test('a file that takes too long or too much memory is stopped', async () => {
  const slow = Array.from({ length: 3_000 }, (_, no) => entry(no, 'RRULE:FREQ=HOURLY')).flat()
  const text = calendar(slow)
  await expect(readCalendar(text, viewOf({}), { ms: 200, memoryMb: 256 })).rejects.toMatchObject({
    failure: 'too_complex',
  })
  const large = calendar(Array.from({ length: 60_000 }, (_, no) => entry(no)).flat())
  await expect(readCalendar(large, viewOf({}), { ms: 20_000, memoryMb: 8 })).rejects.toMatchObject({
    failure: 'too_complex',
  })
})

test('visits we exported are recognized', () => {
  const id = `apt_${'0'.repeat(26)}`
  const text = calendar(entry(1).map((line) => line.replace('UID:1', `UID:${id}@apposite`)))
  const { spans, own } = busyTimesIn(text, viewOf({}))
  expect(spans).toEqual([])
  expect(own).toEqual([
    { id, start: Date.parse('2026-03-10T09:00:00Z'), end: Date.parse('2026-03-10T10:00:00Z') },
  ])
})

const series = (...lines: string[]) => [
  'BEGIN:VEVENT',
  'UID:series',
  'DTSTART;TZID=Europe/London:20260309T090000',
  'DTEND;TZID=Europe/London:20260309T100000',
  ...lines,
  'END:VEVENT',
]
const changed = (...lines: string[]) => [
  'BEGIN:VEVENT',
  'UID:series',
  'RECURRENCE-ID;TZID=Europe/London:20260331T090000',
  'DTEND;TZID=Europe/London:20260331T160000',
  'DTSTART;TZID=Europe/London:20260331T150000',
  ...lines,
  'END:VEVENT',
]
const FIRST = '2026-03-09T09:00/10:00'

test.each([
  ['a moved one is busy at its new time alone', [], changed(), ['2026-03-31T14:00/15:00']],
  ['a cancelled one is free', [], changed('STATUS:CANCELLED'), []],
  ['an excluded one is free', ['EXDATE:20260331T080000Z'], [], []],
])('of the dates added to an entry, %s', (_, lines, more, busy) => {
  const rdate = 'RDATE;TZID=Europe/London:20260331T090000'
  const text = calendar([...series(rdate, ...lines), ...more])
  expect(formatSpans(busyTimesIn(text, viewOf({})))).toEqual([FIRST, ...busy])
})

test('a calendar in lower case is read as any other', () => {
  const lines = series('RRULE:FREQ=WEEKLY;COUNT=2').map((line) => line.toLowerCase())
  const found = busyTimesIn(calendar(lines), viewOf({}))
  expect(found.unreadable).toBe(0)
  expect(formatSpans(found)).toEqual([FIRST, '2026-03-16T09:00/10:00'])
})

test.each([
  [
    'moved',
    ['DTSTART;TZID=Europe/London:20260316T150000', 'DTEND;TZID=Europe/London:20260316T160000'],
  ],
  ['cancelled', ['DTSTART;TZID=Europe/London:20260316T090000', 'STATUS:CANCELLED']],
])('an occurrence that is named by its day alone can be %s', (what, lines) => {
  const change = [
    'BEGIN:VEVENT',
    'UID:series',
    'RECURRENCE-ID;VALUE=DATE:20260316',
    ...lines,
    'END:VEVENT',
  ]
  // In any order: the change may come before its series.
  for (const entries of [
    [...series('RRULE:FREQ=WEEKLY;COUNT=2'), ...change],
    [...change, ...series('RRULE:FREQ=WEEKLY;COUNT=2')],
  ]) {
    const later = what === 'moved' ? ['2026-03-16T15:00/16:00'] : []
    expect(formatSpans(busyTimesIn(calendar(entries), viewOf({})))).toEqual([FIRST, ...later])
  }
})

test('the last entry of a series that is over counts while it goes on', () => {
  const away = ['DTSTART;VALUE=DATE:20260119', 'DTEND;VALUE=DATE:20260307']
  const rule = 'RRULE:FREQ=MONTHLY;UNTIL=20260119'
  const text = calendar(['BEGIN:VEVENT', 'UID:away', ...away, rule, 'END:VEVENT'])
  expect(formatSpans(busyTimesIn(text, viewOf({})))).toEqual(['2026-03-02T00:00/2026-03-07T00:00'])
})

test('entries with an empty id are entries of their own', () => {
  const other = ['DTSTART:20260311T090000Z', 'DTEND:20260311T100000Z']
  const text = calendar([
    ...entry(1).map((line) => line.replace('UID:1', 'UID:')),
    'BEGIN:VEVENT',
    'UID:',
    ...other,
    'END:VEVENT',
  ])
  expect(formatSpans(busyTimesIn(text, viewOf({})))).toEqual([
    '2026-03-10T09:00/10:00',
    '2026-03-11T09:00/10:00',
  ])
})

test('entries named like visits we exported are limited as all others are', () => {
  const named = Array.from({ length: 5_001 }, (_, no) => {
    const uid = `UID:apt_${String(no).padStart(26, '0')}@apposite`
    return entry(no).map((line) => (line.startsWith('UID:') ? uid : line))
  })
  expect(() => busyTimesIn(calendar(named.flat()), viewOf({}))).toThrow('too_complex')
})

const londonTimes = (day: string, from: string, to: string) => {
  const at = (time: string) => `TZID=Europe/London:202603${day}T${time}00`
  return [`DTSTART;${at(from)}`, `DTEND;${at(to)}`]
}
/** A change of the series of Mondays, at nine, from this one on. */
const fromThisOn = (day: string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  'UID:series',
  `RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/London:202603${day}T090000`,
  ...lines,
  'END:VEVENT',
]
const mondays = (...lines: string[]) => series('RRULE:FREQ=WEEKLY;COUNT=5', ...lines)
const SECOND = '2026-03-16T09:00/10:00'

// Clocks in London go forward on 29 March 2026.
test.each<[what: string, lines: string[], busy: string[]]>([
  [
    'moved and made longer',
    [...mondays(), ...fromThisOn('23', ...londonTimes('23', '1500', '1630'))],
    [FIRST, SECOND, '2026-03-23T15:00/16:30', '2026-03-30T14:00/15:30', '2026-04-06T14:00/15:30'],
  ],
  [
    'written before its series, in lower case',
    [
      ...fromThisOn('23', ...londonTimes('23', '1500', '1630')).map((line) => line.toLowerCase()),
      ...mondays().map((line) => line.toLowerCase()),
    ],
    [FIRST, SECOND, '2026-03-23T15:00/16:30', '2026-03-30T14:00/15:30', '2026-04-06T14:00/15:30'],
  ],
  [
    'moved to another day past the change of clocks',
    [...mondays(), ...fromThisOn('23', ...londonTimes('30', '0900', '0930'))],
    // The last one is on 13 April, after the end of the view.
    [FIRST, SECOND, '2026-03-30T08:00/08:30', '2026-04-06T08:00/08:30'],
  ],
  [
    'moved, without one that is excluded',
    [
      ...mondays('EXDATE;TZID=Europe/London:20260330T090000'),
      ...fromThisOn('23', ...londonTimes('23', '1500', '1600')),
    ],
    [FIRST, SECOND, '2026-03-23T15:00/16:00', '2026-04-06T14:00/15:00'],
  ],
  [
    'moved, and a later one moved by itself',
    [
      ...mondays(),
      ...fromThisOn('16', ...londonTimes('16', '1500', '1600')),
      ...fromThisOn('23', ...londonTimes('24', '0800', '0830')).map((line) =>
        line.replace(';RANGE=THISANDFUTURE', ''),
      ),
    ],
    [
      FIRST,
      '2026-03-16T15:00/16:00',
      '2026-03-24T08:00/08:30',
      '2026-03-30T14:00/15:00',
      '2026-04-06T14:00/15:00',
    ],
  ],
  [
    'moved twice',
    [
      ...mondays(),
      ...fromThisOn('30', ...londonTimes('30', '0700', '0715')),
      ...fromThisOn('16', ...londonTimes('16', '1500', '1600')),
    ],
    [
      FIRST,
      '2026-03-16T15:00/16:00',
      '2026-03-23T15:00/16:00',
      '2026-03-30T06:00/06:15',
      '2026-04-06T06:00/06:15',
    ],
  ],
  [
    'cancelled',
    [...mondays(), ...fromThisOn('23', ...londonTimes('23', '0900', '1000'), 'STATUS:CANCELLED')],
    [FIRST, SECOND],
  ],
  [
    'cancelled, but for one that is moved by itself',
    [
      ...mondays(),
      ...fromThisOn('16', ...londonTimes('16', '0900', '1000'), 'STATUS:CANCELLED'),
      ...changed().map((line) => line.replace('20260331T090000', '20260330T090000')),
    ],
    [FIRST, '2026-03-31T14:00/15:00'],
  ],
  [
    'marked as free',
    [...mondays(), ...fromThisOn('23', ...londonTimes('23', '0900', '1000'), 'TRANSP:TRANSPARENT')],
    [FIRST, SECOND],
  ],
  [
    'marked as busy',
    [...mondays('TRANSP:TRANSPARENT'), ...fromThisOn('23', ...londonTimes('23', '0900', '0930'))],
    ['2026-03-23T09:00/09:30', '2026-03-30T08:00/08:30', '2026-04-06T08:00/08:30'],
  ],
  [
    'of those at dates of their own moved',
    [
      ...series('RDATE;TZID=Europe/London:20260317T090000,20260331T090000,20260402T110000'),
      ...fromThisOn('17', ...londonTimes('17', '1000', '1030')),
    ],
    [FIRST, '2026-03-17T10:00/10:30', '2026-03-31T09:00/09:30', '2026-04-02T11:00/11:30'],
  ],
  [
    'named by the day alone and moved',
    [
      ...mondays(),
      ...fromThisOn('23', ...londonTimes('23', '1500', '1630')).map((line) =>
        line.replace(/;TZID=Europe\/London:20260323T090000$/, ';VALUE=DATE:20260323'),
      ),
    ],
    [FIRST, SECOND, '2026-03-23T15:00/16:30', '2026-03-30T14:00/15:30', '2026-04-06T14:00/15:30'],
  ],
  [
    'of whole days moved and made longer',
    [
      'BEGIN:VEVENT',
      'UID:series',
      'DTSTART;VALUE=DATE:20260306',
      'DTEND;VALUE=DATE:20260307',
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:series',
      'RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260320',
      'DTSTART;VALUE=DATE:20260321',
      'DTEND;VALUE=DATE:20260323',
      'END:VEVENT',
    ],
    [
      '2026-03-06T00:00/2026-03-07T00:00',
      '2026-03-13T00:00/2026-03-14T00:00',
      '2026-03-21T00:00/2026-03-23T00:00',
      '2026-03-28T00:00/2026-03-29T23:00',
    ],
  ],
  [
    'of a series that was over moved later',
    [
      ...series('RRULE:FREQ=WEEKLY;UNTIL=20260227T235959Z').map((line) =>
        line.replace('20260309', '20260206'),
      ),
      ...fromThisOn('20', ...londonTimes('06', '0900', '1000')).map((line) =>
        line.replace('20260320', '20260220'),
      ),
    ],
    ['2026-03-06T09:00/10:00', '2026-03-13T09:00/10:00'],
  ],
  [
    'of a series that had not begun moved earlier',
    [
      ...mondays().map((line) => line.replace('20260309', '20260420')),
      ...fromThisOn('27', ...londonTimes('30', '0900', '1000')).map((line) =>
        line.replace('20260327', '20260427'),
      ),
    ],
    ['2026-03-30T08:00/09:00', '2026-04-06T08:00/09:00'],
  ],
])('an occurrence and all later ones can be changed: %s', (_, lines, busy) => {
  const found = busyTimesIn(calendar(lines), viewOf({}))
  expect(found.unreadable).toBe(0)
  expect(formatSpans(found)).toEqual(busy)
})

test('a change that moves all later occurrences by centuries makes its entry unreadable', () => {
  const far = [
    'RECURRENCE-ID;RANGE=THISANDFUTURE:19000101T090000Z',
    'DTSTART:90000101T090000Z',
    'DTEND:90000101T100000Z',
  ]
  const daily = ['DTSTART:18990101T090000Z', 'DTEND:18990101T100000Z', 'RRULE:FREQ=DAILY']
  const entries = [daily, far].flatMap((lines) => [
    'BEGIN:VEVENT',
    'UID:far',
    ...lines,
    'END:VEVENT',
  ])
  const found = busyTimesIn(calendar([...entries, ...mondays()]), viewOf({}))
  expect(found.unreadable).toBe(1)
  expect(formatSpans(found)[0]).toBe(FIRST)
})
