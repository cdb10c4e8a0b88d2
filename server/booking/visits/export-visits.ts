import { fullName } from '#contract/base/person-names.ts'
import { dateOfDay, dayNumber } from '#contract/base/time.ts'
import {
  CALENDAR_EXPORT_MAX,
  type ExportVisitsInput,
  VISITS_EXPORT_MAX,
} from '#contract/booking-provider.ts'
import type { Instant } from '#db/columns.ts'
import { dayAt, startOfDay } from '#server/availability/rules.ts'
import type { AsProvider, Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { BYTE_ORDER_MARK, csvLine, type ExportFile } from '#server/kernel/export-file.ts'
import { yieldToEventLoop } from '#server/kernel/limits/semaphore.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { calendarText } from './calendar-feed.ts'
import { toZoned } from './calendar-file.ts'
import { mainZone } from './provider-visits.ts'
import { type ExportedVisit, listVisitsBetween } from './provider-visits-store.ts'

/** Rows in one batch; other work can run between two batches. */
const BATCH_SIZE = 500

type Span = { providerNo: number; from: Instant; until: Instant; max: number }

/** The visits of a span in batches, earliest first. */
async function* batchesOf(ctx: Context, span: Span): AsyncGenerator<ExportedVisit[], void> {
  let after: Pick<ExportedVisit, 'start_at' | 'no'> | null = null
  for (let left = span.max; left > 0; ) {
    const limit = Math.min(BATCH_SIZE, left)
    const rows = await listVisitsBetween(ctx.database.db, { ...span, after, limit })
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    left -= rows.length
    after = rows.at(-1) ?? null
    await yieldToEventLoop()
  }
}

const HEADER = csvLine([
  'Reference',
  'Date',
  'Start',
  'End',
  'Time zone',
  'Patient',
  'Type',
  'Mode',
  'Place',
  'State',
  'Outcome',
])

const nameOf = (row: ExportedVisit) =>
  row.patient_erased_at === null ? fullName(row.first_name, row.last_name) : ''

/** A CSV line of a visit, in local time at its place. */
function lineOf(row: ExportedVisit): string {
  const wall = (at: Instant) => toZoned(at, row.time_zone)
  const clock = (at: Instant) => wall(at).toPlainTime().toString({ smallestUnit: 'minute' })
  return csvLine([
    row.reference,
    wall(row.start_at).toPlainDate().toString(),
    clock(row.start_at),
    clock(row.end_at),
    row.time_zone,
    nameOf(row),
    row.visit_type,
    row.mode,
    row.place_name,
    row.state,
    row.outcome ?? '',
  ])
}

async function* csvOf(batches: AsyncIterable<ExportedVisit[]>): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK + HEADER
  for await (const rows of batches) yield rows.map(lineOf).join('')
}

async function* icsOf(
  batches: AsyncIterable<ExportedVisit[]>,
  site: string,
): AsyncGenerator<string, void> {
  const all: ExportedVisit[] = []
  for await (const rows of batches) all.push(...rows)
  yield calendarText(all, (row) => ({
    summary: ['Visit', nameOf(row)].filter(Boolean).join(': '),
    place: row.mode === 'video' ? 'Video visit' : row.place_name,
    about: [`Reference: ${row.reference}`, `${site}/doctor/visits/${row.id}`],
  }))
}

/** Maximum span from the first to the last day. */
const MAX_DAYS = 731
const DEFAULT_DAYS = 27

/**
 * The viewer's booked and cancelled visits of some days, as CSV or as a calendar; never contains the purpose.
 * The export is audited before the first is read.
 */
export async function exportVisits(ctx: AsProvider, input: ExportVisitsInput): Promise<ExportFile> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const timeZone = await mainZone(db, providerNo)
  const first = input.from === undefined ? dayAt(timeZone, ctx.now()) : dayNumber(input.from)
  const last = input.to === undefined ? first + DEFAULT_DAYS : dayNumber(input.to)
  if (last < first) throw new AppError('dates_inverted')
  if (last - first > MAX_DAYS) throw new AppError('date_too_far')
  const { format } = input
  const [from, to] = [dateOfDay(first), dateOfDay(last)]
  await ctx.record({ action: 'visit.exported', details: { from, to, format } })
  const batches = batchesOf(ctx, {
    providerNo,
    from: startOfDay(timeZone, first),
    until: startOfDay(timeZone, last + 1),
    max: format === 'csv' ? VISITS_EXPORT_MAX : CALENDAR_EXPORT_MAX,
  })
  const name = `visits-${from}-${to}`
  return format === 'csv'
    ? { fileName: `${name}.csv`, text: csvOf(batches) }
    : {
        fileName: `${name}.ics`,
        type: 'text/calendar',
        text: icsOf(batches, ctx.config.publicUrl),
      }
}
