import { expect, test } from 'vitest'
import {
  calendarFile,
  europeanZone,
  eventLines,
  NINE_TO_TEN,
} from '#tests/harness/calendar-files.ts'
import { busyTimesIn } from './busy-times.ts'
import { decodeCalendar } from './calendar-lines.ts'

const view = {
  from: Date.parse('2026-10-01T00:00:00Z'),
  until: Date.parse('2027-02-01T00:00:00Z'),
  timeZone: 'Europe/London',
  skipsAllDay: false,
}

function readText(text: string, more: Partial<typeof view> = {}) {
  const { spans, unreadable, doubts } = busyTimesIn(text, { ...view, ...more })
  const short = (at: number | null) => at && new Date(at).toISOString().slice(5, 16)
  const busy = spans.map(({ start, end }) => `${short(start)}/${short(end)}`)
  const named = doubts.map(({ start, end, reason }) => [reason, short(start), short(end)])
  return { busy, unreadable, named }
}

const read = (lines: readonly string[], more: Partial<typeof view> = {}) =>
  readText(calendarFile(lines), more)

/** What is read without any doubt. */
const certainly = (...busy: string[]) => ({ busy, unreadable: 0, named: [] })

// RFC 5545, 3.8.5.2.
test('periods of RDATE have their own length', () => {
  const first = ['DTSTART:20261207T090000Z', 'DURATION:PT30M']
  expect(read(eventLines('a', ...first, 'RDATE;VALUE=PERIOD:20261208T130000Z/PT4H'))).toEqual(
    certainly('12-07T09:00/12-07T09:30', '12-08T13:00/12-08T17:00'),
  )
  expect(
    read(
      eventLines(
        'a',
        ...first,
        'RDATE;VALUE=PERIOD:20261208T130000Z/20261208T131500Z,20261209T090000Z/P1D',
        'RDATE:20261211T090000Z',
        'EXDATE:20261208T130000Z',
      ),
    ),
  ).toEqual(
    certainly('12-07T09:00/12-07T09:30', '12-09T09:00/12-10T09:00', '12-11T09:00/12-11T09:30'),
  )
  // One that begins as an occurrence of the rule says how long that one takes.
  expect(
    read(
      eventLines(
        'a',
        ...first,
        'RRULE:FREQ=DAILY;COUNT=2',
        'RDATE;VALUE=PERIOD:20261208T090000Z/PT5M',
      ),
    ),
  ).toEqual(certainly('12-07T09:00/12-07T09:30', '12-08T09:00/12-08T09:05'))
})

const on = (day: string, ...lines: string[]) => [
  `DTSTART:202612${day}T090000Z`,
  `DTEND:202612${day}T100000Z`,
  ...lines,
]
const busyOn = (...days: string[]) => days.map((day) => `12-${day}T09:00/12-${day}T10:00`)

test('entries that share a UID, and are no versions of one another, are all busy', () => {
  const three = ['07', '14', '21'].flatMap((day) => eventLines('a', ...on(day)))
  expect(read(three)).toEqual(certainly(...busyOn('07', '14', '21')))
  const stamped = three.map((line, no) =>
    line.startsWith('DTSTAMP') ? `DTSTAMP:202603${10 + (no % 9)}T080000Z` : line,
  )
  expect(read(stamped)).toEqual(certainly(...busyOn('07', '14', '21')))
  const numbered = ['07', '14'].flatMap((day) => eventLines('a', ...on(day, 'SEQUENCE:0')))
  expect(read(numbered)).toEqual(certainly(...busyOn('07', '14')))
})

// RFC 5546, 2.1.5.
test('of versions of an entry the highest SEQUENCE counts, then the newer DTSTAMP', () => {
  const version = (day: string, sequence: number, stamp: string) =>
    eventLines('a', ...on(day, `SEQUENCE:${sequence}`)).map((line) =>
      line.startsWith('DTSTAMP') ? `DTSTAMP:${stamp}` : line,
    )
  const [old, moved, back] = [
    version('07', 1, '20260301T080000Z'),
    version('14', 1, '20260302T080000Z'),
    version('21', 2, '20260227T080000Z'),
  ]
  expect(read([...moved, ...old])).toEqual(certainly(...busyOn('14')))
  expect(read([...old, ...moved])).toEqual(certainly(...busyOn('14')))
  expect(read([...back, ...old, ...moved])).toEqual(certainly(...busyOn('21')))
})

const NEW_YORK = 'TZID=America/New_York'
const evenings = (...lines: string[]) =>
  eventLines(
    'a',
    `DTSTART;${NEW_YORK}:20261207T200000`,
    `DTEND;${NEW_YORK}:20261207T210000`,
    ...lines,
  )
const evening = (day: number) => {
  const next = String(day + 1).padStart(2, '0')
  return `12-${next}T01:00/12-${next}T02:00`
}

// In UTC these evenings are on the next day.
test.each<[what: string, lines: string[], days: number[]]>([
  ['EXDATE', ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20261208'], [7, 9]],
  ['EXDATE without VALUE', ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20261208'], [7, 9]],
  ['RDATE', ['RDATE;VALUE=DATE:20261210'], [7, 10]],
  ['UNTIL', ['RRULE:FREQ=DAILY;UNTIL=20261209'], [7, 8, 9]],
  ['EXDATE in UTC', ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20261209T010000Z'], [7, 9]],
  [
    'EXDATE in another zone',
    ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;TZID=Europe/Paris:20261209T020000'],
    [7, 9],
  ],
  ['EXDATE without a zone', ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20261208T200000'], [7, 9]],
  ['UNTIL in UTC', ['RRULE:FREQ=DAILY;UNTIL=20261209T010000Z'], [7, 8]],
  ['UNTIL in local time', ['RRULE:FREQ=DAILY;UNTIL=20261208T200000'], [7, 8]],
  ['EXRULE', ['RRULE:FREQ=DAILY;COUNT=4', 'EXRULE:FREQ=DAILY;INTERVAL=2'], [8, 10]],
])('values of a series with times are of its own zone: %s', (_, lines, days) => {
  expect(read(evenings(...lines))).toEqual(certainly(...days.map(evening)))
})

test('an occurrence that is named by its day can be moved', () => {
  const moved = eventLines(
    'a',
    'RECURRENCE-ID;VALUE=DATE:20261208',
    'DTSTART:20261220T090000Z',
    'DURATION:PT1H',
  )
  expect(read([...evenings('RRULE:FREQ=DAILY;COUNT=3'), ...moved])).toEqual(
    certainly(evening(7), evening(9), ...busyOn('20')),
  )
})

test('an occurrence can be cancelled without its times, and not moved without them', () => {
  const daily = eventLines('a', ...on('07', 'RRULE:FREQ=DAILY;COUNT=2'))
  const cancelled = eventLines('a', 'RECURRENCE-ID:20261208T090000Z', 'STATUS:CANCELLED')
  expect(read([...daily, ...cancelled])).toEqual(certainly(...busyOn('07')))
  const moved = eventLines('a', 'RECURRENCE-ID:20261208T090000Z', 'DTSTART:later')
  expect(read([...daily, ...moved])).toEqual({
    busy: busyOn('07', '08'),
    unreadable: 1,
    named: [['date', null, null]],
  })
})

const LONDON = 'TZID=Europe/London'

// Clocks in London go back from 02:00 to 01:00 on 25 October 2026.
test('a rule whose first date lies in the hour that occurs twice begins in the first one', () => {
  for (const zone of [[], europeanZone('Europe/London', 0)]) {
    expect(
      read([
        ...zone,
        ...eventLines(
          'a',
          `DTSTART;${LONDON}:20261025T013000`,
          `DTEND;${LONDON}:20261025T014500`,
          'RRULE:FREQ=WEEKLY;COUNT=2',
        ),
      ]),
    ).toEqual(certainly('10-25T00:30/10-25T00:45', '11-01T01:30/11-01T01:45'))
  }
})

test('what recurs every hour does so in both of them', () => {
  expect(
    read(
      eventLines(
        'a',
        `DTSTART;${LONDON}:20261025T003000`,
        'DURATION:PT5M',
        'RRULE:FREQ=HOURLY;COUNT=3',
      ),
    ),
  ).toEqual(
    certainly(
      '10-24T23:30/10-24T23:35',
      ...['00', '01', '02'].map((hour) => `10-25T${hour}:30/10-25T${hour}:35`),
    ),
  )
})

test('whole days last as long as days do over a change of clocks', () => {
  for (const length of ['DTEND;VALUE=DATE:20261026', 'DURATION:P1D', 'DURATION:PT24H']) {
    expect(read(eventLines('a', 'DTSTART;VALUE=DATE:20261025', length))).toEqual(
      certainly('10-24T23:00/10-26T00:00'),
    )
  }
  expect(read(eventLines('a', `DTSTART;${LONDON}:20261024T120000`, 'DURATION:P1D'))).toEqual(
    certainly('10-24T11:00/10-25T12:00'),
  )
})

test('times of free/busy lines are of the calendar’s zone, or of their own', () => {
  const lines = (line: string) => ['BEGIN:VFREEBUSY', line, 'END:VFREEBUSY']
  expect(
    read(['X-WR-TIMEZONE:America/New_York', ...lines('FREEBUSY:20261207T090000/PT1H')]),
  ).toEqual(certainly('12-07T14:00/12-07T15:00'))
  expect(
    read([
      ...europeanZone('Ours', 1),
      ...lines(
        'FREEBUSY;FBTYPE=BUSY;TZID=Ours:20261024T120000/P1D,20261025T023000/20261025T021500',
      ),
    ]),
  ).toEqual(certainly('10-24T10:00/10-25T11:00'))
})

test('the way there is busy, too', () => {
  const travel = 'X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT45M'
  expect(read(eventLines('a', ...on('07', travel)))).toEqual(certainly('12-07T08:15/12-07T10:00'))
  expect(read(eventLines('a', ...on('07', travel, 'RRULE:FREQ=DAILY;COUNT=2')))).toEqual(
    certainly('12-07T08:15/12-07T10:00', '12-08T08:15/12-08T10:00'),
  )
  expect(read(eventLines('a', ...on('07', 'X-APPLE-TRAVEL-DURATION:P30D')))).toEqual(
    certainly(...busyOn('07')),
  )
})

test('what cannot be read is counted, and named by its time', () => {
  const never = eventLines('a', ...on('07', 'RRULE:FREQ=FORTNIGHTLY'))
  expect(read(never)).toEqual({
    busy: busyOn('07'),
    unreadable: 1,
    named: [['rule', '12-07T09:00', '12-07T10:00']],
  })
  expect(read(eventLines('a', 'DTSTART:20261207T090000Z', 'DTEND:soon'))).toEqual({
    busy: [],
    unreadable: 1,
    named: [['date', '12-07T09:00', null]],
  })
  expect(read(eventLines('a', ...on('07', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:never')))).toEqual({
    busy: busyOn('07', '08'),
    unreadable: 1,
    named: [['date', '12-07T09:00', '12-07T10:00']],
  })
  expect(read(eventLines('a', 'DTSTART:whenever'))).toMatchObject({ named: [['date', null, null]] })
  // What is not busy needs no reading.
  expect(read(eventLines('a', 'DTSTART:whenever', 'TRANSP:TRANSPARENT'))).toMatchObject({
    unreadable: 0,
  })
})

test('a file that was cut is doubtful, with the entry it was cut in', () => {
  const whole = calendarFile([...eventLines('a', ...on('07')), ...eventLines('b', ...on('08'))])
  const cut = readText(whole.slice(0, whole.lastIndexOf('END:VEVENT')))
  expect(cut).toEqual({
    busy: busyOn('07', '08'),
    unreadable: 1,
    named: [['entry', '12-08T09:00', '12-08T10:00']],
  })
  expect(readText(whole.slice(0, whole.lastIndexOf('END:VCALENDAR')))).toMatchObject({
    unreadable: 1,
  })
})

test('very many doubts are counted, and the first ones named', () => {
  const lines = Array.from({ length: 50 }, (_, no) =>
    eventLines(`${no}`, ...on(String(10 + (no % 20)), 'RRULE:FREQ=NEVER')),
  )
  const { unreadable, named } = read(lines.flat())
  expect([unreadable, named.length]).toEqual([50, 20])
})

const plain = calendarFile(eventLines('a', ...on('07', 'SUMMARY:Zahnärztin')))

test.each<[what: string, bytes: Buffer]>([
  ['UTF-8', Buffer.from(plain)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${plain}`)],
  ['UTF-16', Buffer.from(plain, 'utf16le')],
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${plain}`, 'utf16le')],
  ['UTF-16, the other way round', Buffer.from(`\uFEFF${plain}`, 'utf16le').swap16()],
  ['Latin-1', Buffer.from(plain, 'latin1')],
])('a file in %s is read', (_, bytes) => {
  const text = decodeCalendar(new Uint8Array(bytes))
  expect(readText(text)).toEqual({ busy: busyOn('07'), unreadable: 0, named: [] })
})

const fold = (text: string, end: string) =>
  text
    .split('\r\n')
    .flatMap(
      (line) => line.match(/.{1,10}/g)?.map((part, no) => (no === 0 ? part : ` ${part}`)) ?? [],
    )
    .join(end)

test.each<[what: string, text: string]>([
  ['ended by LF', plain.replaceAll('\r\n', '\n')],
  ['ended by CR', plain.replaceAll('\r\n', '\r')],
  ['with empty lines between', plain.replaceAll('\r\n', '\r\n\r\n')],
  ['folded', fold(plain, '\r\n')],
  ['folded and ended by LF', fold(plain, '\n')],
  ['in lower case', plain.toLowerCase()],
  ['of more than 75 octets', plain.replace('UID:a', `UID:${'a'.repeat(500)}`)],
])('lines %s are read', (_, text) => {
  expect(readText(text)).toEqual({ busy: busyOn('07'), unreadable: 0, named: [] })
})

test('quoted-printable values are read, and lines they go on in are none of their own', () => {
  const lines = [
    'SUMMARY;ENCODING=QUOTED-PRINTABLE:Away =',
    'DTSTART:20261224T000000Z=',
    'END:VEVENT',
    'DTSTART;ENCODING=QUOTED-PRINTABLE:20261207T09=30=30=30=30=5A',
    'DURATION:PT1H',
  ]
  expect(read(eventLines('a', ...lines))).toEqual(certainly(...busyOn('07')))
})

test.each<[what: string, lines: string[], busy: string[]]>([
  ['weeks', ['DTSTART:20261207T090000Z', 'DURATION:P1W'], ['12-07T09:00/12-14T09:00']],
  ['no seconds', ['DTSTART:20261207T0900Z', 'DTEND:20261207T1000Z'], busyOn('07')],
  ['dashes', ['DTSTART:2026-12-07T09:00:00Z', 'DTEND:2026-12-07T10:00:00Z'], busyOn('07')],
  ['an offset', ['DTSTART:20261207T100000+0100', 'DURATION:PT1H'], busyOn('07')],
  [
    'a leap second',
    ['DTSTART:20261207T090000Z', 'DTEND:20261207T095960Z'],
    ['12-07T09:00/12-07T09:59'],
  ],
  ['no end', ['DTSTART:20261207T090000Z'], []],
  ['no end of a day', ['DTSTART;VALUE=DATE:20261207'], ['12-07T00:00/12-08T00:00']],
  [
    'the same day as end',
    ['DTSTART;VALUE=DATE:20261207', 'DTEND;VALUE=DATE:20261207'],
    ['12-07T00:00/12-08T00:00'],
  ],
  ['cancelled', on('07', 'STATUS:CANCELLED'), []],
  ['transparent', on('07', 'TRANSP:TRANSPARENT'), []],
  ['free', on('07', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'), []],
  ['out of office', on('07', 'X-MICROSOFT-CDO-BUSYSTATUS:OOF', 'TRANSP:OPAQUE'), busyOn('07')],
  [
    'an alarm with its own times',
    [...on('07'), 'BEGIN:VALARM', 'DURATION:PT9H', 'TRIGGER:-PT15M', 'END:VALARM'],
    busyOn('07'),
  ],
])('an entry with %s is read', (_, lines, busy) => {
  expect(read(eventLines('a', ...lines))).toEqual(certainly(...busy))
})

test('a day that there never is, is none', () => {
  expect(read(eventLines('a', 'DTSTART:20261131T090000Z', 'DURATION:PT1H'))).toMatchObject({
    busy: [],
    unreadable: 1,
  })
  expect(read([...eventLines('b', ...NINE_TO_TEN)])).toMatchObject({ unreadable: 0 })
})
