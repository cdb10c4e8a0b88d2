import { deskKindLabels } from '#contract/booking-desk.ts'
import type { Db } from '#db/engine.ts'
import { listDeskFeed } from '#server/booking/desk/desk-store.ts'
import { openDetail } from '#server/booking/desk/sealed-details.ts'
import type { Services } from '#server/context.ts'
import { changedAt, escapeText, foldLine, timeLines, utcText, zoneLines } from './calendar-file.ts'
import { calendarDescription, calendarTitle } from './read-visit.ts'
import { type FeedSpan, listForPatient, listForProvider, type VisitRow } from './visit-store.ts'

/** Maximum events in one calendar; the oldest are left out. */
const MAX_EVENTS = 4_000

type FeedWindow = Omit<FeedSpan, 'limit'> & { site: string }

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

type EventText = { summary: string; place: string; about: string[] }

function eventLines(row: Dated, { summary, place, about }: EventText): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${row.id}@apposite`,
    `SEQUENCE:${row.sequence}`,
    // From the row, not the clock: otherwise each fetch would change every event.
    `DTSTAMP:${utcText(changedAt(row))}`,
    ...timeLines(row),
    `SUMMARY:${escapeText(summary)}`,
    `LOCATION:${escapeText(place)}`,
    `DESCRIPTION:${escapeText(about.join('\n'))}`,
    `STATUS:${row.state === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${row.state === 'cancelled' ? 'TRANSPARENT' : 'OPAQUE'}`,
    'CLASS:PRIVATE',
    'END:VEVENT',
  ]
}

/** Each zone once, with every clock change from its first visit to its last. */
function zonesOf(rows: readonly Dated[]): string[] {
  const byZone = Map.groupBy(rows, (row) => row.time_zone)
  return [...byZone]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([timeZone, visits]) => {
      const starts = visits.map((visit) => visit.start_at)
      return zoneLines({ from: Math.min(...starts), to: Math.max(...starts) }, timeZone)
    })
}

/** A visit in a feed, and the text shown for it. */
type FeedEvent = Dated & { text: EventText }

/** Visits as a calendar file (RFC 5545); `tell` gives the text shown for each. */
export function calendarText<Row extends Dated>(
  rows: readonly Row[],
  textOf: (row: Row) => EventText,
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
    ...rows.flatMap((row) => eventLines(row, textOf(row))),
    'END:VCALENDAR',
  ]
  return `${lines.map(foldLine).join('\r\n')}\r\n`
}

/** A patient's visits as a calendar (RFC 5545, 7986); never contains the purpose. */
export async function patientFeed(
  db: Db,
  { patientNo, site, ...span }: FeedWindow & { patientNo: number },
): Promise<string> {
  const rows = await listForPatient(db, patientNo, { ...span, limit: MAX_EVENTS })
  return calendarText(rows, (row) => ({
    ...calendarTitle(row),
    about: [...calendarDescription(row), `${site}/userProfile`],
  }))
}

type Placed = Pick<VisitRow, 'place_name' | 'address' | 'locality' | 'postcode'>

const placeOf = (row: Placed) =>
  [row.place_name, row.address, row.locality, row.postcode].filter(Boolean).join(', ')

/** The patient's name, where a calendar may show it. */
const named = (name: string) => (name === '' ? '' : `: ${name}`)

/**
 * A provider's visits as a calendar, including desk visits: patients are not named, or by first name where
 * that is wanted.
 */
export async function providerFeed(
  { database: { db }, secrets }: Pick<Services, 'database' | 'secrets'>,
  {
    providerNo,
    showsNames,
    site,
    ...span
  }: FeedWindow & { providerNo: number; showsNames: boolean },
): Promise<string> {
  const limited = { ...span, limit: MAX_EVENTS }
  const page = (id: string) => [`${site}/doctor/visits/${id}`]
  const booked = (await listForProvider(db, providerNo, limited)).map((row): FeedEvent => {
    const isNamed = showsNames && row.patient_erased_at === null
    const who = isNamed ? `: ${row.patient_first_name}` : ''
    return {
      ...row,
      text: {
        summary: `Visit ${row.reference}${who}`,
        place: row.mode === 'video' ? 'Video visit' : placeOf(row),
        about: [row.type_name ?? '', ...page(row.id)].filter(Boolean),
      },
    }
  })
  const desk = (await listDeskFeed(db, providerNo, limited)).map((row): FeedEvent => {
    const [first = ''] = showsNames ? openDetail({ secrets }, row.name).split(' ') : []
    const summary = `${deskKindLabels[row.kind]} visit ${row.reference}${named(first)}`
    return {
      ...row,
      confirmed_at: row.created_at,
      text: { summary, place: placeOf(row), about: page(row.id) },
    }
  })
  const events = [...booked, ...desk].toSorted((one, other) => other.start_at - one.start_at)
  return calendarText(events.slice(0, MAX_EVENTS), ({ text }) => text)
}
