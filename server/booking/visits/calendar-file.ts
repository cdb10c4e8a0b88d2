import { dateFormat } from '#contract/base/intl.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'
import type { CalendarFile } from '#contract/booking.ts'
import type { Instant } from '#db/columns.ts'
import type { SignedIn } from '#server/context.ts'
import type { MailFile } from '#server/gateways/mail.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { calendarDescription, calendarTitle, readOwnVisit } from './read-visit.ts'
import type { VisitRow } from './visit-store.ts'

/** Octets in a line, the line break not counted (RFC 5545, 3.1). */
const MAX_LINE_OCTETS = 75

/** Text of a property, with special characters escaped (RFC 5545, 3.3.11). */
export function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n?|\n/g, '\\n')
}

/** Folds a line that is too long; never in the middle of a character. */
export function foldLine(line: string): string {
  const lines: string[] = []
  let current = ''
  for (const character of line) {
    if (Buffer.byteLength(current + character) > MAX_LINE_OCTETS) {
      lines.push(current)
      current = ' '
    }
    current += character
  }
  return [...lines, current].join('\r\n')
}

/** An instant in a time zone. */
export function toZoned(at: Instant, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
}

/** `20260303T143000`: local time in the zone the property names. */
function localText(there: Temporal.ZonedDateTime | Temporal.PlainDateTime): string {
  return there
    .toString({ timeZoneName: 'never', offset: 'never', smallestUnit: 'second' })
    .replaceAll(/[-:]/g, '')
}

/** `20260303T143000Z`. */
export function utcText(at: Instant): string {
  return `${localText(toZoned(at, 'UTC'))}Z`
}

/** `+0100`. */
function offsetText(there: Temporal.ZonedDateTime): string {
  return there.offset.replaceAll(':', '').slice(0, 5)
}

/** The VTIMEZONE rule that applies from a clock change on. */
function observance(change: Temporal.ZonedDateTime): string[] {
  const before = change.subtract({ nanoseconds: 1 })
  const isSummer = change.offsetNanoseconds > before.offsetNanoseconds
  const kind = isSummer ? 'DAYLIGHT' : 'STANDARD'
  const { timeZoneId: timeZone } = change
  // Each country's own English locale has the short names of its zones.
  const name = dateFormat(factsOfZone(timeZone).locale, { timeZone, timeZoneName: 'short' })
    .formatToParts(change.epochMilliseconds)
    .find(({ type }) => type === 'timeZoneName')
  // The onset is given in the local time before the change.
  const onset = change.withTimeZone(before.offset).toPlainDateTime()
  return [
    `BEGIN:${kind}`,
    `DTSTART:${localText(onset)}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(change)}`,
    `TZNAME:${escapeText(name?.value ?? timeZone)}`,
    `END:${kind}`,
  ]
}

function fixedOffset(there: Temporal.ZonedDateTime): string[] {
  const offset = offsetText(there)
  return [
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
  ]
}

/** A VTIMEZONE for visits between two starts: the clock changes between, one before and one after. */
export function zoneLines(starts: { from: Instant; to: Instant }, timeZone: string): string[] {
  const there = toZoned(starts.from, timeZone)
  // A change at the very start is already in force: look for the previous one a moment later.
  const last = there.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const changes = last === null ? [] : [last]
  let next = there.getTimeZoneTransition('next')
  while (next !== null) {
    changes.push(next)
    next = next.epochMilliseconds > starts.to ? null : next.getTimeZoneTransition('next')
  }
  const lines = last === null ? fixedOffset(there) : []
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    ...lines,
    ...changes.flatMap(observance),
    'END:VTIMEZONE',
  ]
}

/**
 * Start and end of a visit, in the clinic's time zone. Of a local time that occurs twice calendars read the
 * first (RFC 5545, 3.3.5): a visit that begins or ends at the second is given in UTC.
 */
export function timeLines(row: Pick<VisitRow, 'start_at' | 'end_at' | 'time_zone'>): string[] {
  const { start_at: start, end_at: end, time_zone: timeZone } = row
  const local = [start, end].map((at) => toZoned(at, timeZone).toPlainDateTime())
  const read = local.map((wall) => wall.toZonedDateTime(timeZone).epochMilliseconds)
  if (read[0] !== start || read[1] !== end) {
    return [`DTSTART:${utcText(start)}`, `DTEND:${utcText(end)}`]
  }
  const [from, to] = local.map(localText)
  return [`DTSTART;TZID=${timeZone}:${from}`, `DTEND;TZID=${timeZone}:${to}`]
}

type ChangeTimes = Pick<VisitRow, 'changed_at' | 'created_at' | 'confirmed_at' | 'closed_at'>

/** Facts of a visit for a calendar file; `patient_email` is the calendar's owner. */
export type CalendarEvent = ChangeTimes &
  Parameters<typeof calendarTitle>[0] &
  Pick<
    VisitRow,
    | 'id'
    | 'reference'
    | 'type_name'
    | 'state'
    | 'sequence'
    | 'start_at'
    | 'end_at'
    | 'time_zone'
    | 'latitude'
    | 'longitude'
    | 'place_phone'
    | 'patient_email'
  >

/** When a visit's calendar facts last changed. */
export function changedAt(row: ChangeTimes): Instant {
  return row.changed_at ?? row.closed_at ?? row.confirmed_at ?? row.created_at
}

/**
 * `PUBLISH` is for downloaded files. `REQUEST` adds the visit to the recipient's calendar, updates it there
 * and lets `CANCEL` remove it: calendars remove nothing that came by `PUBLISH` (RFC 5546).
 */
type Method = 'PUBLISH' | 'REQUEST' | 'CANCEL'

type FileOptions = {
  /** The page of the visit after signing in; null for patients without an account. */
  page: string | null
  method?: Method
  /** The sender's address, without a name; only in files that are emailed. */
  organizer?: string
}

/** Organizer and attendee: the same on every file of a visit, or calendars take a change for a new event. */
function partyLines(row: CalendarEvent, organizer: string | undefined): string[] {
  if (organizer === undefined) return []
  return [
    `ORGANIZER:mailto:${organizer}`,
    `ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${row.patient_email}`,
  ]
}

const JOIN_HERE = 'Video visit: sign in and join it here, from 15 minutes before.'

/** The location; for a video visit our own page, never the room's URL. */
function placeLines(
  row: CalendarEvent,
  { place, page }: { place: string; page: string | null },
): string[] {
  if (row.mode === 'video' && page !== null) return [`LOCATION:${escapeText(page)}`, `URL:${page}`]
  return [`LOCATION:${escapeText(place)}`, `GEO:${row.latitude};${row.longitude}`]
}

/** A calendar file (RFC 5545) of a visit, in the clinic's named time zone. */
function calendarText(row: CalendarEvent, options: FileOptions): string {
  const { page, method = 'PUBLISH', organizer } = options
  const { time_zone: timeZone } = row
  const { summary, place } = calendarTitle(row)
  const phone = row.place_phone
  const about = [
    ...calendarDescription(row),
    ...(phone === null ? [] : [`Practice phone: ${phone}`]),
    ...(row.mode === 'video' ? [JOIN_HERE] : []),
    ...(page === null ? [] : [page]),
  ].join('\n')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Apposite//Apposite//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...zoneLines({ from: row.start_at, to: row.start_at }, timeZone),
    'BEGIN:VEVENT',
    // Never changes, so that an updated visit replaces itself in every calendar.
    `UID:${row.id}@apposite`,
    `SEQUENCE:${row.sequence}`,
    `DTSTAMP:${utcText(changedAt(row))}`,
    ...timeLines(row),
    ...partyLines(row, organizer),
    `SUMMARY:${escapeText(summary)}`,
    ...placeLines(row, { place, page }),
    `DESCRIPTION:${escapeText(about)}`,
    `STATUS:${row.state === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    'CLASS:PRIVATE',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(foldLine).join('\r\n')}\r\n`
}

/** `visit-2026-03-03.ics`. */
function calendarName(row: Pick<CalendarEvent, 'start_at' | 'time_zone'>): string {
  return `visit-${toZoned(row.start_at, row.time_zone).toPlainDate().toString()}.ics`
}

/** The page that lists a signed-in patient's visits. */
const ownPage = (site: string) => `${site}/userProfile`

type EmailFileOptions = {
  config: Pick<Config, 'publicUrl' | 'mailFrom'>
  method: 'REQUEST' | 'CANCEL'
  /** The recipient has no account, so there is no page to sign in to. */
  hasNoAccount?: boolean
}

/** The calendar file attached to an email about a visit. */
export function calendarEmailFile(row: CalendarEvent, options: EmailFileOptions): MailFile {
  const { config, method, hasNoAccount = false } = options
  const { publicUrl: site, mailFrom } = config
  const page = hasNoAccount ? null : ownPage(site)
  const organizer = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom
  return {
    name: calendarName(row),
    type: `text/calendar; charset=utf-8; method=${method}`,
    text: calendarText(row, { page, method, organizer }),
  }
}

/** The downloadable calendar file of a visit; contains no email address. */
export function publishedFile(row: VisitRow, { publicUrl: site }: Config): CalendarFile {
  return { fileName: calendarName(row), text: calendarText(row, { page: ownPage(site) }) }
}

/** The calendar file of one of the viewer's visits. */
export async function calendarFile(ctx: SignedIn, { id }: { id: string }): Promise<CalendarFile> {
  return publishedFile(await readOwnVisit(ctx, id), ctx.config)
}
