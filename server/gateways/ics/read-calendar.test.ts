import { expect, test } from 'vitest'
import {
  type CalendarFile,
  hostileCalendars,
  outlookCalendars,
} from '#tests/harness/calendar-files.ts'
import { publishedCalendars } from '#tests/harness/published-calendars.ts'
import { type BusyTimes, busyTimesIn, type CalendarView } from './busy-times.ts'
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
