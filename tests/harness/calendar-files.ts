/** A calendar file as a publisher or an attacker would write it, and the busy times it contains. */
export type CalendarFile = {
  name: string
  text: string
  /** `2026-03-10T09:00/10:00` in UTC; an end on another day is written in full. */
  busy: string[]
  unreadable?: number
  skipsAllDay?: boolean
  /** Main place of the provider; London when left out. */
  timeZone?: string
}

/** A complete file with these lines. */
export const calendarFile = (lines: readonly string[], end = '\r\n') =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join(end)

/** An entry with some of the properties that publishers add around the times. */
export const eventLines = (uid: string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20260301T080000Z',
  'SUMMARY:Private words',
  ...lines,
  'END:VEVENT',
]

/** Tuesday 10 March 2026 from nine to ten. */
export const NINE_TO_TEN = ['DTSTART:20260310T090000Z', 'DTEND:20260310T100000Z']
export const NINE_TO_TEN_BUSY = ['2026-03-10T09:00/10:00']

const OUTLOOK = ['METHOD:PUBLISH', 'PRODID:Microsoft Exchange Server 2010', 'X-WR-CALNAME:Calendar']

/** Rules of European summer time, with clocks `hours` ahead of UTC in winter. */
export const europeanZone = (tzid: string, hours = 1) => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  'BEGIN:STANDARD',
  `DTSTART:16010101T0${hours + 2}0000`,
  `TZOFFSETFROM:+0${hours + 1}00`,
  `TZOFFSETTO:+0${hours}00`,
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  `DTSTART:16010101T0${hours + 1}0000`,
  `TZOFFSETFROM:+0${hours}00`,
  `TZOFFSETTO:+0${hours + 1}00`,
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]

/** As `publishedCalendars`: what Outlook and Exchange publish. */
export const outlookCalendars: readonly CalendarFile[] = [
  {
    name: 'Outlook: a zone of Windows',
    text: calendarFile([
      ...OUTLOOK,
      ...europeanZone('GMT Standard Time', 0),
      ...eventLines(
        'k',
        'DTSTART;TZID=GMT Standard Time:20260401T090000',
        'DTEND;TZID=GMT Standard Time:20260401T100000',
        'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
      ),
    ]),
    busy: ['2026-04-01T08:00/09:00'],
  },
  {
    name: 'Outlook: a zone in quotes, and one of the USA',
    text: calendarFile([
      ...OUTLOOK,
      ...eventLines(
        'l',
        'DTSTART;TZID="Eastern Standard Time":20260303T090000',
        'DTEND;TZID="Eastern Standard Time":20260303T093000',
      ),
    ]),
    busy: ['2026-03-03T14:00/14:30'],
  },
  {
    name: 'Outlook: a zone that only the file describes',
    text: calendarFile([
      ...OUTLOOK,
      ...europeanZone('Customized Time Zone'),
      ...eventLines(
        'm',
        'DTSTART;TZID=Customized Time Zone:20260401T090000',
        'DTEND;TZID=Customized Time Zone:20260401T100000',
      ),
    ]),
    busy: ['2026-04-01T07:00/08:00'],
  },
  {
    name: 'Outlook: a described zone under any name',
    text: calendarFile([
      ...OUTLOOK,
      ...europeanZone('Our Office'),
      ...eventLines(
        'n',
        'DTSTART;TZID=Our Office:20260303T090000',
        'DTEND;TZID=Our Office:20260303T100000',
      ),
    ]),
    busy: ['2026-03-03T08:00/09:00'],
  },
  {
    name: 'Outlook: shown as free by Microsoft’s own property',
    text: calendarFile([
      ...OUTLOOK,
      ...eventLines('o', ...NINE_TO_TEN, 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'),
    ]),
    busy: [],
  },
  {
    name: 'Outlook: a whole day written as two midnights is skipped like one',
    text: calendarFile([
      ...OUTLOOK,
      ...eventLines(
        'p',
        'DTSTART;TZID=GMT Standard Time:20260310T000000',
        'DTEND;TZID=GMT Standard Time:20260311T000000',
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      ),
    ]),
    skipsAllDay: true,
    busy: [],
  },
  {
    name: 'Outlook: weekdays until a day, in a zone',
    text: calendarFile([
      ...OUTLOOK,
      ...eventLines(
        'q',
        'DTSTART;TZID=W. Europe Standard Time:20260302T080000',
        'DTEND;TZID=W. Europe Standard Time:20260302T083000',
        'RRULE:FREQ=WEEKLY;UNTIL=20260304T070000Z;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR;WKST=SU',
      ),
    ]),
    busy: ['2026-03-02T07:00/07:30', '2026-03-03T07:00/07:30', '2026-03-04T07:00/07:30'],
  },
  {
    name: 'Outlook: a tentative time counts',
    text: calendarFile([
      ...OUTLOOK,
      ...eventLines(
        'r',
        ...NINE_TO_TEN,
        'STATUS:TENTATIVE',
        'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE',
      ),
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'Outlook: an offset in the place of a zone',
    text: calendarFile([
      ...OUTLOOK,
      ...eventLines(
        's',
        'DTSTART;TZID="(UTC+01:00)":20260310T090000',
        'DTEND;TZID="(UTC+01:00)":20260310T100000',
      ),
    ]),
    busy: ['2026-03-10T08:00/09:00'],
  },
]

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
    unreadable: 1,
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
