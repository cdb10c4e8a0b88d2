import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import {
  changedAt,
  escaped,
  folded,
  localText,
  utcText,
  zoned,
  zoneLines,
} from './calendar-file.ts'
import { shownIn } from './calendar-links.ts'
import { type FeedSpan, listForProvider } from './feed-store.ts'
import { listForPatient, type VisitRow } from './visit-store.ts'

/** More visits than this are not put into one calendar; what is left out is the oldest. */
const MOST_EVENTS = 4_000

type Window = Omit<FeedSpan, 'limit'> & { site: string }

type Dated = Pick<
  VisitRow,
  | 'id'
  | 'state'
  | 'start_at'
  | 'end_at'
  | 'time_zone'
  | 'sequence'
  | 'created_at'
  | 'confirmed_at'
  | 'closed_at'
  | 'changed_at'
>

type Told = { summary: string; place: string; about: string[] }

function eventLines(row: Dated, { summary, place, about }: Told): string[] {
  const { time_zone: timeZone } = row
  const wall = (at: Instant) => localText(zoned(at, timeZone))
  return [
    'BEGIN:VEVENT',
    `UID:${row.id}@apposite`,
    `SEQUENCE:${row.sequence}`,
    // From the row and never from the clock: else each reading would change every visit.
    `DTSTAMP:${utcText(changedAt(row))}`,
    `DTSTART;TZID=${timeZone}:${wall(row.start_at)}`,
    `DTEND;TZID=${timeZone}:${wall(row.end_at)}`,
    `SUMMARY:${escaped(summary)}`,
    `LOCATION:${escaped(place)}`,
    `DESCRIPTION:${escaped(about.join('\n'))}`,
    `STATUS:${row.state === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${row.state === 'cancelled' ? 'TRANSPARENT' : 'OPAQUE'}`,
    'CLASS:PRIVATE',
    'END:VEVENT',
  ]
}

/** Each zone once, with every change of its clocks from the first visit in it to the last. */
function zonesOf(rows: readonly Dated[]): string[] {
  const byZone = Map.groupBy(rows, (row) => row.time_zone)
  return [...byZone]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([timeZone, visits]) => {
      const starts = visits.map((visit) => visit.start_at)
      return zoneLines({ from: Math.min(...starts), to: Math.max(...starts) }, timeZone)
    })
}

/** Visits as a calendar file (RFC 5545); `tell` says what of each is told. */
export function calendarText<Row extends Dated>(
  rows: readonly Row[],
  tell: (row: Row) => Told,
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Apposite//Apposite//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'NAME:Apposite',
    'X-WR-CALNAME:Apposite',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...zonesOf(rows),
    ...rows.flatMap((row) => eventLines(row, tell(row))),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}

/** A patient's visits as a calendar (RFC 5545, 7986); never what they are for. */
export async function patientFeed(
  db: Db,
  { patientNo, site, ...span }: Window & { patientNo: number },
): Promise<string> {
  const rows = await listForPatient(db, patientNo, { ...span, limit: MOST_EVENTS })
  return calendarText(rows, (row) => ({
    ...shownIn(row),
    about: [`Reference: ${row.reference}`, `${site}/userProfile`],
  }))
}

/** A provider's visits as a calendar: patients are not named, or by their first names where that is wanted. */
export async function providerFeed(
  db: Db,
  { providerNo, showsNames, site, ...span }: Window & { providerNo: number; showsNames: boolean },
): Promise<string> {
  const rows = await listForProvider(db, providerNo, { ...span, limit: MOST_EVENTS })
  return calendarText(rows, (row) => {
    const isNamed = showsNames && row.patient_erased_at === null
    const who = isNamed ? `: ${row.patient_first_name}` : ''
    const place = [row.place_name, row.address, row.locality, row.postcode]
    return {
      summary: `Visit ${row.reference}${who}`,
      place: row.mode === 'video' ? 'Video visit' : place.filter(Boolean).join(', '),
      about: [`${site}/doctor/visits/${row.id}`],
    }
  })
}
