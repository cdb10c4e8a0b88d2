import {
  type CalendarFile,
  calendarFile,
  eventLines,
  NINE_TO_TEN,
  NINE_TO_TEN_BUSY,
} from './calendar-files.ts'

const OUTLOOK = ['METHOD:PUBLISH', 'PRODID:Microsoft Exchange Server 2010', 'X-WR-CALNAME:Calendar']

const zone = (tzid: string) => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
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
      ...zone('GMT Standard Time'),
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
      ...zone('Customized Time Zone'),
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
      ...zone('Our Office'),
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
