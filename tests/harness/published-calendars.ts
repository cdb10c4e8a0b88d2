import {
  type CalendarFile,
  calendarFile,
  eventLines,
  NINE_TO_TEN,
  NINE_TO_TEN_BUSY,
} from './calendar-files.ts'

const GOOGLE = [
  'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
  'CALSCALE:GREGORIAN',
  'METHOD:PUBLISH',
  'X-WR-CALNAME:maya@mail.example',
]
const APPLE = [
  'METHOD:PUBLISH',
  'PRODID:-//Apple Inc.//macOS 15.3//EN',
  'X-APPLE-CALENDAR-COLOR:#1BADF8',
]

/** The range requested is Monday 2 March to Sunday 12 April 2026; clocks change on 29 March in Europe. */
export const publishedCalendars: readonly CalendarFile[] = [
  {
    name: 'Google: a time in UTC',
    text: calendarFile([
      ...GOOGLE,
      'X-WR-TIMEZONE:Europe/London',
      ...eventLines('a@google.com', ...NINE_TO_TEN, 'TRANSP:OPAQUE'),
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'Google: a weekly series in a zone, over the change of clocks',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines(
        'b@google.com',
        'DTSTART;TZID=Europe/London:20260318T093000',
        'DTEND;TZID=Europe/London:20260318T103000',
        'RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=3',
      ),
    ]),
    busy: ['2026-03-18T09:30/10:30', '2026-03-25T09:30/10:30', '2026-04-01T08:30/09:30'],
  },
  {
    name: 'Google: EXDATE and a moved time of a series',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines(
        'c@google.com',
        'DTSTART;TZID=Europe/London:20260303T120000',
        'DTEND;TZID=Europe/London:20260303T130000',
        'RRULE:FREQ=WEEKLY;UNTIL=20260324T235959Z;BYDAY=TU',
        'EXDATE;TZID=Europe/London:20260310T120000',
      ),
      ...eventLines(
        'c@google.com',
        'DTSTART;TZID=Europe/London:20260318T150000',
        'DTEND;TZID=Europe/London:20260318T153000',
        'RECURRENCE-ID;TZID=Europe/London:20260317T120000',
        'SEQUENCE:1',
      ),
    ]),
    busy: ['2026-03-03T12:00/13:00', '2026-03-18T15:00/15:30', '2026-03-24T12:00/13:00'],
  },
  {
    name: 'Google: somebody invited to two times of a series, and to no others',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines('c2@google.com', ...NINE_TO_TEN, 'RECURRENCE-ID:20260310T090000Z'),
      ...eventLines(
        'c2@google.com',
        'DTSTART:20260317T140000Z',
        'DTEND:20260317T150000Z',
        'RECURRENCE-ID:20260317T090000Z',
        'SEQUENCE:1',
      ),
    ]),
    busy: ['2026-03-10T09:00/10:00', '2026-03-17T14:00/15:00'],
  },
  {
    name: 'Google: a cancelled time of a series',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines('d@google.com', ...NINE_TO_TEN, 'RRULE:FREQ=DAILY;COUNT=3'),
      ...eventLines(
        'd@google.com',
        'DTSTART:20260311T090000Z',
        'DTEND:20260311T100000Z',
        'RECURRENCE-ID:20260311T090000Z',
        'STATUS:CANCELLED',
      ),
    ]),
    busy: ['2026-03-10T09:00/10:00', '2026-03-12T09:00/10:00'],
  },
  {
    name: 'Google: shown as available',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines('e@google.com', ...NINE_TO_TEN, 'TRANSP:TRANSPARENT'),
    ]),
    busy: [],
  },
  {
    name: 'Google: a whole day, and one that is skipped',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines('f@google.com', 'DTSTART;VALUE=DATE:20260330', 'DTEND;VALUE=DATE:20260331'),
    ]),
    busy: ['2026-03-29T23:00/2026-03-30T23:00'],
  },
  {
    name: 'Google: whole days are skipped where that is wanted',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines('g@google.com', 'DTSTART;VALUE=DATE:20260330', 'DTEND;VALUE=DATE:20260402'),
      ...eventLines('g2@google.com', ...NINE_TO_TEN),
    ]),
    skipsAllDay: true,
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'Google: floating times are read in X-WR-TIMEZONE',
    text: calendarFile([
      ...GOOGLE,
      'X-WR-TIMEZONE:America/New_York',
      ...eventLines('h@google.com', 'DTSTART:20260303T090000', 'DTEND:20260303T100000'),
    ]),
    busy: ['2026-03-03T14:00/15:00'],
  },
  {
    name: 'Google: free/busy only',
    text: calendarFile([
      ...GOOGLE,
      'BEGIN:VEVENT',
      'DTSTART:20260310T090000Z',
      'DTEND:20260310T100000Z',
      'UID:i@google.com',
      'SUMMARY:Busy',
      'END:VEVENT',
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'Exchange: nothing but busy periods, by their end and by their length',
    text: calendarFile([
      'PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN',
      'METHOD:PUBLISH',
      'BEGIN:VFREEBUSY',
      'DTSTAMP:20260301T080000Z',
      'ORGANIZER:mailto:maya@mail.example',
      'DTSTART:20260301T000000Z',
      'DTEND:20260501T000000Z',
      'URL:https://calendar.example/maya.vfb',
      'FREEBUSY:20260310T090000Z/20260310T100000Z,20260311T090000Z/PT1H30M',
      'FREEBUSY;FBTYPE=BUSY:20260312T090000Z/P1D',
      'FREEBUSY:20260201T090000Z/PT1H',
      'END:VFREEBUSY',
    ]),
    busy: ['2026-03-10T09:00/10:00', '2026-03-11T09:00/10:30', '2026-03-12T09:00/2026-03-13T09:00'],
  },
  {
    name: 'Zimbra: tentative and not available count as busy, as does what nobody knows; free does not',
    text: calendarFile([
      'PRODID:Zimbra-Calendar-Provider',
      'BEGIN:VFREEBUSY',
      'FREEBUSY;FBTYPE=FREE:20260310T060000Z/20260310T090000Z',
      'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260310T090000Z/20260310T100000Z',
      'FREEBUSY;fbtype="busy-unavailable":20260310T100000Z/20260310T110000Z',
      'FREEBUSY;FBTYPE=X-LUNCH:20260310T12',
      ' 0000Z/PT45M',
      'END:VFREEBUSY',
    ]),
    busy: ['2026-03-10T09:00/11:00', '2026-03-10T12:00/12:45'],
  },
  {
    name: 'busy periods in a zone, over the change of clocks, in several components',
    text: calendarFile([
      'X-WR-TIMEZONE:America/New_York',
      'BEGIN:VFREEBUSY',
      'FREEBUSY:20260303T090000/20260303T100000',
      'END:VFREEBUSY',
      'BEGIN:VFREEBUSY',
      'FREEBUSY;TZID=Europe/London:20260328T220000/P1D',
      'END:VFREEBUSY',
    ]),
    busy: ['2026-03-03T14:00/15:00', '2026-03-28T22:00/2026-03-29T21:00'],
  },
  {
    name: 'entries say more than busy periods beside them',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines('fb1', ...NINE_TO_TEN),
      ...eventLines(
        'fb2',
        'DTSTART:20260310T110000Z',
        'DTEND:20260310T120000Z',
        'TRANSP:TRANSPARENT',
      ),
      'BEGIN:VFREEBUSY',
      'FREEBUSY:20260310T090000Z/20260310T120000Z',
      'END:VFREEBUSY',
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'Google: monthly on the last Friday',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines(
        'j@google.com',
        'DTSTART:20240126T160000Z',
        'DTEND:20240126T170000Z',
        'RRULE:FREQ=MONTHLY;BYDAY=-1FR',
      ),
    ]),
    busy: ['2026-03-27T16:00/17:00'],
  },
  {
    name: 'Apple: a folded line, a length and an alarm',
    text: calendarFile([
      ...APPLE,
      'BEGIN:VEVENT',
      'UID:t',
      'DTSTART;TZID=Europe/Lon',
      ' don:20260310T090000',
      'DURATION:PT1H',
      'BEGIN:VALARM',
      'TRIGGER:-PT15M',
      'DTSTART:20260401T000000Z',
      'DURATION:PT9H',
      'END:VALARM',
      'END:VEVENT',
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'Apple: several whole days',
    text: calendarFile([
      ...APPLE,
      ...eventLines('u', 'DTSTART;VALUE=DATE:20260305', 'DTEND;VALUE=DATE:20260308'),
    ]),
    busy: ['2026-03-05T00:00/2026-03-08T00:00'],
  },
  {
    name: 'Apple: a whole day of a place in the USA',
    text: calendarFile([...APPLE, ...eventLines('v', 'DTSTART;VALUE=DATE:20260305')]),
    timeZone: 'America/Chicago',
    busy: ['2026-03-05T06:00/2026-03-06T06:00'],
  },
  {
    name: 'Apple: floating times are read where the provider works',
    text: calendarFile([
      ...APPLE,
      ...eventLines(
        'w',
        'DTSTART:20260401T090000',
        'DTEND:20260401T100000',
        'RRULE:FREQ=DAILY;COUNT=2',
      ),
    ]),
    busy: ['2026-04-01T08:00/09:00', '2026-04-02T08:00/09:00'],
  },
  {
    name: 'Apple: further dates of an entry',
    text: calendarFile([
      ...APPLE,
      ...eventLines('x', ...NINE_TO_TEN, 'RDATE:20260312T110000Z,20260313T110000Z'),
    ]),
    busy: [...NINE_TO_TEN_BUSY, '2026-03-12T11:00/12:00', '2026-03-13T11:00/12:00'],
  },
  {
    name: 'Apple: bare line feeds, and a byte order mark',
    text: `\uFEFF${calendarFile([...APPLE, ...eventLines('y', ...NINE_TO_TEN)], '\n')}`,
    busy: NINE_TO_TEN_BUSY,
  },
  {
    name: 'Apple: a time that began before and goes on, and one that ends after',
    text: calendarFile([
      ...APPLE,
      ...eventLines('z1', 'DTSTART:20260301T220000Z', 'DTEND:20260302T100000Z'),
      ...eventLines('z2', 'DTSTART:20260411T220000Z', 'DTEND:20260501T100000Z'),
    ]),
    busy: ['2026-03-02T00:00/10:00', '2026-04-11T22:00/2026-04-12T23:00'],
  },
  {
    name: 'times that meet and touch are one',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines('aa', ...NINE_TO_TEN),
      ...eventLines('ab', 'DTSTART:20260310T093000Z', 'DTEND:20260310T110000Z'),
      ...eventLines('ac', 'DTSTART:20260310T110000Z', 'DTEND:20260310T113000Z'),
    ]),
    busy: ['2026-03-10T09:00/11:30'],
  },
  {
    name: 'a reminder without a length, and one that ends before it begins',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines('ad', 'DTSTART:20260310T090000Z'),
      ...eventLines('ae', 'DTSTART:20260310T090000Z', 'DTEND:20260310T080000Z'),
    ]),
    busy: [],
  },
  {
    name: 'a newer version of an entry',
    text: calendarFile([
      ...GOOGLE,
      ...eventLines('af', ...NINE_TO_TEN, 'SEQUENCE:2'),
      ...eventLines('af', 'DTSTART:20260311T090000Z', 'DTEND:20260311T100000Z', 'SEQUENCE:1'),
    ]),
    busy: NINE_TO_TEN_BUSY,
  },
]
