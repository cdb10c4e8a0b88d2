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
