import {
  type CalendarFile,
  calendarFile,
  eventLines,
  NINE_TO_TEN,
  NINE_TO_TEN_BUSY,
} from './calendar-files.ts'

const ok = eventLines('ok', ...NINE_TO_TEN)
const many = (count: number, lines: (no: number) => string[]) =>
  Array.from({ length: count }, (_, no) => eventLines(`m${no}`, ...lines(no))).flat()

/** What an attacker or a broken program may publish; everything that still makes sense is read. */
export const hostileCalendars: readonly CalendarFile[] = [
  {
    name: 'something every second, and every minute',
    text: calendarFile([
      ...eventLines('s', ...NINE_TO_TEN, 'RRULE:FREQ=SECONDLY'),
      ...eventLines('m', ...NINE_TO_TEN, 'RRULE:FREQ=MINUTELY;INTERVAL=1'),
      ...ok,
    ]),
    busy: NINE_TO_TEN_BUSY,
    unreadable: 2,
  },
  {
    name: 'rules that are none',
    text: calendarFile([
      ...eventLines('r1', ...NINE_TO_TEN, 'RRULE:FREQ=NEVER'),
      ...eventLines('r2', ...NINE_TO_TEN, 'RRULE:FREQ=DAILY;INTERVAL=0'),
      ...eventLines('r3', ...NINE_TO_TEN, `RRULE:FREQ=DAILY;BYHOUR=${'1,'.repeat(4_000)}1`),
      ...ok,
    ]),
    busy: NINE_TO_TEN_BUSY,
    unreadable: 3,
  },
  {
    name: 'a daily series since the year 1',
    text: calendarFile([
      ...eventLines(
        'y',
        'DTSTART:00010101T090000Z',
        'DTEND:00010101T100000Z',
        'RRULE:FREQ=YEARLY;UNTIL=20000101',
      ),
      ...ok,
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: '100,000 entries that are over',
    text: calendarFile([
      ...many(100_000, () => ['DTSTART:20200310T090000Z', 'DTEND:20200310T100000Z']),
      ...ok,
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'nested junk, ends without beginnings, an entry that never ends',
    text: calendarFile([
      'END:VEVENT',
      'END:VALARM',
      ...Array.from({ length: 5_000 }, () => 'BEGIN:VTODO'),
      ...ok,
      'BEGIN:VEVENT',
      'BEGIN:VEVENT',
      ...NINE_TO_TEN,
    ]),
    busy: NINE_TO_TEN_BUSY,
    unreadable: 2,
  },
  {
    name: 'a line of two megabytes, folded and not',
    text: calendarFile([
      ...eventLines(
        'l',
        ...NINE_TO_TEN,
        `DESCRIPTION:${'x'.repeat(2_000_000)}`,
        `RRULE:FREQ=DAILY${`\r\n ;X=${'y'.repeat(900)}`.repeat(1_000)}`,
      ),
      ...ok,
    ]),
    busy: NINE_TO_TEN_BUSY,
    unreadable: 1,
  },
  {
    name: 'busy periods that are none, among one that is',
    text: calendarFile([
      'BEGIN:VFREEBUSY',
      'FREEBUSY:20260310T090000Z/20260310T100000Z,20260310T100000Z/20260310T090000Z',
      'FREEBUSY:20261399T990000Z/PT1H,/,20260310T120000Z/P-1D,20260310T120000Z/PT99999999999H',
      `FREEBUSY:${'20260310T120000Z/PT1H,'.repeat(4_000)}`,
      'FREEBUSY;FBTYPE=BUSY',
      'BEGIN:VFREEBUSY',
      'FREEBUSY:',
    ]),
    busy: NINE_TO_TEN_BUSY,
    unreadable: 7,
  },
  {
    name: 'zones that nobody knows are read where the provider works',
    text: calendarFile([
      'X-WR-TIMEZONE:Nowhere/Land',
      ...eventLines(
        'z',
        'DTSTART;TZID=../../etc/passwd:20260401T090000',
        'DTEND;TZID=__proto__:20260401T100000',
      ),
    ]),
    busy: ['2026-04-01T08:00/09:00'],
  },
  {
    name: 'NUL, and binary between the lines',
    text: calendarFile([
      '\0\u0001\uFFFD:\0',
      ...eventLines('n\0', 'DT\0START:20260310T090000Z', 'DTEND:20260310T100000Z'),
      ':::;;;"":"',
      '\uD800',
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'names of every object',
    text: calendarFile([
      ...eventLines('__proto__', ...NINE_TO_TEN),
      ...eventLines('constructor', ...NINE_TO_TEN),
      'X-__PROTO__:1',
      '__proto__:x',
      'toString:x',
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'dates that are none',
    text: calendarFile([
      ...eventLines('d1', 'DTSTART:20260399T990000Z'),
      ...eventLines('d2', 'DTSTART:tomorrow'),
      ...eventLines('d3'),
      ...ok,
    ]),
    busy: NINE_TO_TEN_BUSY,
    unreadable: 3,
  },
  {
    name: 'thousands of exceptions and changes of one series',
    text: calendarFile([
      ...eventLines(
        'e',
        ...NINE_TO_TEN,
        'RRULE:FREQ=DAILY;COUNT=2',
        ...Array.from(
          { length: 500 },
          () => `EXDATE:${'20260311T090000Z,'.repeat(20)}20260311T090000Z`,
        ),
      ),
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
]
