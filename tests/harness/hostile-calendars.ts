import { at10, type CalendarFile, entry, file, ONE } from './calendar-files.ts'

const ok = entry('ok', ...at10)
const many = (count: number, lines: (no: number) => string[]) =>
  Array.from({ length: count }, (_, no) => entry(`m${no}`, ...lines(no))).flat()

/** What an attacker or a broken program may publish; everything that still makes sense is read. */
export const hostileCalendars: readonly CalendarFile[] = [
  {
    name: 'something every second, and every minute',
    text: file([
      ...entry('s', ...at10, 'RRULE:FREQ=SECONDLY'),
      ...entry('m', ...at10, 'RRULE:FREQ=MINUTELY;INTERVAL=1'),
      ...ok,
    ]),
    busy: ONE,
    unreadable: 2,
  },
  {
    name: 'rules that are none',
    text: file([
      ...entry('r1', ...at10, 'RRULE:FREQ=NEVER'),
      ...entry('r2', ...at10, 'RRULE:FREQ=DAILY;INTERVAL=0'),
      ...entry('r3', ...at10, `RRULE:FREQ=DAILY;BYHOUR=${'1,'.repeat(4_000)}1`),
      ...ok,
    ]),
    busy: ONE,
    unreadable: 3,
  },
  {
    name: 'a daily series since the year 1',
    text: file([
      ...entry(
        'y',
        'DTSTART:00010101T090000Z',
        'DTEND:00010101T100000Z',
        'RRULE:FREQ=YEARLY;UNTIL=20000101',
      ),
      ...ok,
    ]),
    busy: ONE,
  },
  {
    name: '100,000 entries that are over',
    text: file([
      ...many(100_000, () => ['DTSTART:20200310T090000Z', 'DTEND:20200310T100000Z']),
      ...ok,
    ]),
    busy: ONE,
  },
  {
    name: 'nested junk, ends without beginnings, an entry that never ends',
    text: file([
      'END:VEVENT',
      'END:VALARM',
      ...Array.from({ length: 5_000 }, () => 'BEGIN:VTODO'),
      ...ok,
      'BEGIN:VEVENT',
      'BEGIN:VEVENT',
      ...at10,
    ]),
    busy: ONE,
    unreadable: 2,
  },
  {
    name: 'a line of two megabytes, folded and not',
    text: file([
      ...entry(
        'l',
        ...at10,
        `DESCRIPTION:${'x'.repeat(2_000_000)}`,
        `RRULE:FREQ=DAILY${`\r\n ;X=${'y'.repeat(900)}`.repeat(1_000)}`,
      ),
      ...ok,
    ]),
    busy: ONE,
    unreadable: 1,
  },
  {
    name: 'busy periods that are none, among one that is',
    text: file([
      'BEGIN:VFREEBUSY',
      'FREEBUSY:20260310T090000Z/20260310T100000Z,20260310T100000Z/20260310T090000Z',
      'FREEBUSY:20261399T990000Z/PT1H,/,20260310T120000Z/P-1D,20260310T120000Z/PT99999999999H',
      `FREEBUSY:${'20260310T120000Z/PT1H,'.repeat(4_000)}`,
      'FREEBUSY;FBTYPE=BUSY',
      'BEGIN:VFREEBUSY',
      'FREEBUSY:',
    ]),
    busy: ONE,
    unreadable: 7,
  },
  {
    name: 'zones that nobody knows are read where the provider works',
    text: file([
      'X-WR-TIMEZONE:Nowhere/Land',
      ...entry(
        'z',
        'DTSTART;TZID=../../etc/passwd:20260401T090000',
        'DTEND;TZID=__proto__:20260401T100000',
      ),
    ]),
    busy: ['2026-04-01T08:00/09:00'],
  },
  {
    name: 'NUL, and binary between the lines',
    text: file([
      '\0\u0001\uFFFD:\0',
      ...entry('n\0', 'DT\0START:20260310T090000Z', 'DTEND:20260310T100000Z'),
      ':::;;;"":"',
      '\uD800',
    ]),
    busy: ONE,
  },
  {
    name: 'names of every object',
    text: file([
      ...entry('__proto__', ...at10),
      ...entry('constructor', ...at10),
      'X-__PROTO__:1',
      '__proto__:x',
      'toString:x',
    ]),
    busy: ONE,
  },
  {
    name: 'dates that are none',
    text: file([
      ...entry('d1', 'DTSTART:20260399T990000Z'),
      ...entry('d2', 'DTSTART:tomorrow'),
      ...entry('d3'),
      ...ok,
    ]),
    busy: ONE,
    unreadable: 3,
  },
  {
    name: 'thousands of exceptions and changes of one series',
    text: file([
      ...entry(
        'e',
        ...at10,
        'RRULE:FREQ=DAILY;COUNT=2',
        ...Array.from(
          { length: 500 },
          () => `EXDATE:${'20260311T090000Z,'.repeat(20)}20260311T090000Z`,
        ),
      ),
    ]),
    busy: ONE,
  },
]
