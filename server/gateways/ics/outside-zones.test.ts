import { expect, test } from 'vitest'
import { calendarFile, europeanZone, eventLines } from '#tests/harness/calendar-files.ts'
import { busyTimesIn } from './busy-times.ts'

const view = {
  from: Date.parse('2026-01-01T00:00:00Z'),
  until: Date.parse('2028-01-01T00:00:00Z'),
  timeZone: 'America/New_York',
  skipsAllDay: false,
}

function read(lines: readonly string[], more: Partial<typeof view> = {}) {
  const { spans, unreadable, doubts } = busyTimesIn(calendarFile(lines), { ...view, ...more })
  const busy = spans.map(({ start, end }) =>
    [start, end].map((at) => new Date(at).toISOString().slice(0, 16)).join('/'),
  )
  return { busy, unreadable, reasons: doubts.map(({ reason }) => reason) }
}

const at = (tzid: string, day: string) =>
  eventLines(
    `${tzid}${day}`,
    `DTSTART;TZID=${tzid}:${day}T090000`,
    `DTEND;TZID=${tzid}:${day}T100000`,
  )

/** A zone of the USA with summer time by its rules since 2007. */
const americanZone = (tzid: string, winter: string, summer: string) => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  'BEGIN:STANDARD',
  'DTSTART:20071104T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
  `TZOFFSETFROM:${summer}`,
  `TZOFFSETTO:${winter}`,
  'TZNAME:EST',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:20070311T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
  `TZOFFSETFROM:${winter}`,
  `TZOFFSETTO:${summer}`,
  'TZNAME:EDT',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]

// RFC 5545, 3.2.19 and 3.6.5.
test.each<[tzid: string, zone: string[], summer: string, winter: string]>([
  ['GMT', europeanZone('GMT', 0), '08:00', '09:00'],
  ['BST', europeanZone('BST', 0), '08:00', '09:00'],
  ['EST', americanZone('EST', '-0500', '-0400'), '13:00', '14:00'],
  ['MST', americanZone('MST', '-0700', '-0600'), '15:00', '16:00'],
  ['Customized Time Zone', europeanZone('Customized Time Zone'), '07:00', '08:00'],
  [
    'tzone://Microsoft/Custom',
    americanZone('tzone://Microsoft/Custom', '-0500', '-0400'),
    '13:00',
    '14:00',
  ],
  ['GMT Standard Time', europeanZone('GMT Standard Time', 0), '08:00', '09:00'],
])('the file’s own description of %s counts', (tzid, zone, summer, winter) => {
  const lines = [...zone, ...at(tzid, '20270701'), ...at(tzid, '20271210')]
  for (const text of [lines, [...at(tzid, '20270701'), ...at(tzid, '20271210'), ...zone]]) {
    const { busy } = read(text)
    expect(busy.map((one) => one.slice(0, 16))).toEqual([
      `2027-07-01T${summer}`,
      `2027-12-10T${winter}`,
    ])
  }
})

test('a description that says something else than its name does counts, and is doubtful', () => {
  const zone = europeanZone('Europe/London', 1)
  expect(read([...zone, ...at('Europe/London', '20270701')])).toEqual({
    busy: ['2027-07-01T07:00/2027-07-01T08:00'],
    unreadable: 1,
    reasons: ['zone_differs'],
  })
  const right = [...europeanZone('Europe/London', 0), ...at('Europe/London', '20270701')]
  expect(read(right)).toMatchObject({ unreadable: 0 })
})

test.each([
  'EST',
  'MST',
  'GMT',
  'BST',
  'IST',
  'CST',
  'EDT',
  'PT',
  'Our Office',
  'Customized Time Zone',
  '(no TZ description)',
  'tzone://Microsoft/Custom',
  'Nowhere/Land',
])('a time in %s, which nobody defines, is in the provider’s own zone, and doubtful', (tzid) => {
  expect(read(at(tzid, '20270701'))).toEqual({
    busy: ['2027-07-01T13:00/2027-07-01T14:00'],
    unreadable: 1,
    reasons: ['zone'],
  })
  const london = read(at(tzid, '20270701'), { timeZone: 'Europe/London' })
  expect(london.busy).toEqual(['2027-07-01T08:00/2027-07-01T09:00'])
})

test('an unknown zone of the calendar makes times without a zone doubtful, not those in UTC', () => {
  const floating = eventLines('a', 'DTSTART:20270701T090000', 'DTEND:20270701T100000')
  expect(read(['X-WR-TIMEZONE:EST', ...floating])).toMatchObject({
    busy: ['2027-07-01T13:00/2027-07-01T14:00'],
    reasons: ['zone'],
  })
  const exact = floating.map((line) => line.replace(/00$/, '00Z'))
  expect(read(['X-WR-TIMEZONE:EST', ...exact])).toMatchObject({ unreadable: 0 })
})

test.each([
  ['UTC', '09:00'],
  ['Etc/UTC', '09:00'],
  ['GMT Standard Time', '08:00'],
  ['"W. Europe Standard Time"', '07:00'],
  ['Eastern Standard Time', '13:00'],
  ['europe/london', '08:00'],
  ['/freeassociation.sourceforge.net/Europe/London', '08:00'],
  ['/mozilla.org/20050126_1/America/Indiana/Indianapolis', '13:00'],
  ['GMT+0100', '08:00'],
  ['(UTC+05:30)', '03:30'],
  ['-05:00', '14:00'],
  ['tzone://Microsoft/Utc', '09:00'],
])('the name %s is known', (tzid, time) => {
  const { busy, unreadable } = read(at(tzid, '20270701'))
  expect(busy.map((one) => one.slice(11, 16))).toEqual([time])
  expect(unreadable).toBe(0)
})

const observance = (start: string, [from, to]: readonly string[], ...more: string[]) => [
  'BEGIN:STANDARD',
  `DTSTART:${start}`,
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  ...more,
  'END:STANDARD',
]

test.each<[what: string, observances: string[], times: string[]]>([
  ['without summer time', observance('19700101T000000', ['+0300', '+0300']), ['06:00', '06:00']],
  ['with seconds', observance('19700101T000000', ['-001521', '-001521']), ['09:15', '09:15']],
  [
    'with dates',
    [
      ...observance('20261025T020000', ['+0100', '+0000'], 'RDATE:20271031T020000'),
      ...observance('20260329T010000', ['+0000', '+0100'], 'RDATE:20270328T010000'),
    ],
    ['08:00', '09:00'],
  ],
  [
    'with rules that ended, and others after them',
    [
      ...observance(
        '19700101T000000',
        ['+0000', '+0500'],
        'RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1;UNTIL=20200101T000000Z',
      ),
      ...observance('20210101T000000', ['+0500', '+0200']),
    ],
    ['07:00', '07:00'],
  ],
  [
    'whose rule ends in UTC with its last change',
    [
      ...observance(
        '20251026T020000',
        ['+0100', '+0000'],
        'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20271031T010000Z',
      ),
      ...observance('20260329T010000', ['+0000', '+0100'], 'RDATE:20270328T010000'),
    ],
    ['08:00', '09:00'],
  ],
])('a description %s', (_, observances, times) => {
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Ours', ...observances, 'END:VTIMEZONE']
  const { busy, unreadable } = read([...zone, ...at('Ours', '20270701'), ...at('Ours', '20271210')])
  expect(busy.map((one) => one.slice(11, 16))).toEqual(times)
  expect(unreadable).toBe(0)
})

test('a description that is none is as if there were none', () => {
  const broken = ['BEGIN:VTIMEZONE', 'TZID:X', 'BEGIN:STANDARD', 'TZOFFSETTO:east', 'END:STANDARD']
  for (const tzid of ['Europe/London', 'X']) {
    const zone = [...broken, 'END:VTIMEZONE'].map((line) => line.replace('TZID:X', `TZID:${tzid}`))
    expect(read([...zone, ...at(tzid, '20270701')])).toMatchObject({
      busy: [expect.stringContaining(tzid === 'X' ? 'T13:00' : 'T08:00')],
      unreadable: tzid === 'X' ? 1 : 0,
    })
  }
})

test('zones and ids of one calendar of a stream are none of the next one’s', () => {
  const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR']
  const stream = (...calendars: string[][]) => {
    const { spans } = busyTimesIn(calendars.flat().join('\r\n'), view)
    return spans.map(({ start }) => new Date(start).toISOString().slice(0, 16))
  }
  const floating = eventLines('1', 'DTSTART:20270106T090000', 'DTEND:20270106T093000')
  const both = ['2027-01-06T09:00', '2027-01-06T14:00']
  expect(
    stream(
      calendar('X-WR-TIMEZONE:Europe/London', ...floating),
      calendar('X-WR-TIMEZONE:America/New_York', ...floating),
    ),
  ).toEqual(both)
  const fixed = (offset: string) => [
    'BEGIN:VTIMEZONE',
    'TZID:Custom',
    ...observance('19700101T000000', [offset, offset]),
    'END:VTIMEZONE',
  ]
  const custom = floating.map((line) => line.replace(/^(DT(?:START|END)):/, '$1;TZID=Custom:'))
  expect(
    stream(calendar(...fixed('+0000'), ...custom), calendar(...fixed('-0500'), ...custom)),
  ).toEqual(both)
  // What the first one describes, the second one does not know: it is read in the provider's zone.
  expect(stream(calendar(...fixed('+0000'), ...custom), calendar(...custom))).toEqual(both)
})
