import type { Region } from '#contract/base/region.ts'
import { regionFacts } from '#contract/base/region.ts'
import { DAY_MS, dateOfDay, toIso } from '#contract/base/time.ts'
import {
  type AllHistoryInput,
  type Earnings,
  HISTORY_PAGE_SIZE,
  type HistoryInput,
  type HistoryPage,
  type HistoryRow,
  type HistorySheet,
  type HistorySortBy,
  PRINT_MAX,
} from '#contract/payments-history.ts'
import { INCOME_DAYS, type IncomeByDay } from '#contract/payments-review.ts'
import { NEVER, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { hasSeveralPlaces, mainZone } from '#server/booking/visits/provider-visits.ts'
import type { AsProvider, Context } from '#server/context.ts'
import { yieldToEventLoop } from '#server/kernel/limits/semaphore.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { countFiltered, type HistoryCriteria, listNos } from './history-filter-store.ts'
import {
  countOf,
  type MonthCount,
  monthAt,
  monthsOf,
  namesOf,
  pagesOf,
  positionOf,
  wallSpan,
} from './history-rules.ts'
import {
  countByMonth,
  findKey,
  type HistoryRecord,
  type HistoryScope,
  type HistoryView,
  listFrom,
  listRows,
  type Span,
  sumByHour,
  sumEarnings,
} from './history-store.ts'

/** A database record as a row of the page. */
export function rowOf(record: HistoryRecord): HistoryRow {
  const { amount_minor: minor, currency, refunded_minor: refunded } = record
  const wall = toIso(record.wall_at)
  return {
    id: record.id,
    reference: record.reference,
    ...namesOf(record),
    date: wall.slice(0, 10),
    start_time: wall.slice(11, 16),
    mode: record.mode,
    place: null,
    amount: minor === null || currency === null ? null : { minor, currency },
    payment_method: record.payment_method,
    doctor_region: record.region,
    state: record.state === 'cancelled' ? 'cancelled' : 'confirmed',
    refunded: currency === null || refunded === null ? null : { minor: Number(refunded), currency },
  }
}

/** Rows of a provider's own history, with the location if the provider has several. */
async function ownRows(
  db: Db,
  providerNo: number,
  records: readonly HistoryRecord[],
): Promise<HistoryRow[]> {
  if (!(await hasSeveralPlaces(db, providerNo, records))) return records.map(rowOf)
  return records.map((record) => ({ ...rowOf(record), place: record.place_name }))
}

type HistoryQuery = HistoryInput & {
  region?: Region | null
  /** Sorts by payment method, then by start of the visit. */
  byMethod?: boolean
}

type Walk = { view: HistoryView; span: Span | null; sort: HistoryInput['sort'] }

/** Continues with the next payment method where one ends. */
async function continueWithNextMethod(
  db: Db,
  walk: Walk,
  rest: { months: readonly MonthCount[]; limit: number },
) {
  const { method, n } = rest.months[0] ?? { method: null, n: 0 }
  if (method === null || n === 0) return []
  const { view, span, sort } = walk
  const from = sort === 'asc' ? { wall_at: -NEVER, no: 0 } : { wall_at: NEVER, no: 2 ** 31 - 1 }
  const limit = Math.min(rest.limit, countOf(rest.months))
  return listFrom(db, { ...view, method }, { span, from, sort, limit })
}

async function readRows(
  db: Db,
  walk: Walk,
  { counts, skip }: { counts: readonly MonthCount[]; skip: number },
): Promise<HistoryRecord[]> {
  const position = positionOf(counts, skip)
  if (position === null) return []
  const { span, sort } = walk
  const view = position.method === null ? walk.view : { ...walk.view, method: position.method }
  const own = wallSpan({ first: position.month, last: position.month })
  const from = await findKey(db, view, { ...position, span: own, sort })
  if (from === undefined) return []
  // Not more than exist, so that the database does not scan the rest of the table for another row.
  const limit = Math.min(HISTORY_PAGE_SIZE, position.left)
  const rows = await listFrom(db, view, { span, from, sort, limit })
  if (limit === HISTORY_PAGE_SIZE || position.method === null) return rows
  const at = counts.findLastIndex(({ method }) => method === position.method)
  const months = counts.slice(at + 1)
  return [
    ...rows,
    ...(await continueWithNextMethod(db, walk, { months, limit: HISTORY_PAGE_SIZE - limit })),
  ]
}

/**
 * A page of booked appointments, one provider's or everybody's. Past the end it is empty. Counting and
 * skipping go by months, so the last page takes about as long as the first.
 */
export async function listHistory(
  ctx: Pick<Context, 'database'>,
  scope: HistoryScope,
  input: HistoryQuery,
): Promise<HistoryPage> {
  const { db } = ctx.database
  const { page, sort, payment_method: requestedMethod, region = null, byMethod = false } = input
  const view = { scope, method: requestedMethod === 'all' ? null : requestedMethod, region }
  const months = monthsOf(input)
  const counts =
    months === 'none' ? [] : await countByMonth(db, { ...view, months, sort, byMethod })
  const total = countOf(counts)
  const answer = { current_page: page, total_pages: pagesOf(total), total }
  const span = months === null || months === 'none' ? null : wallSpan(months)
  const skip = (page - 1) * HISTORY_PAGE_SIZE
  const rows = await readRows(db, { view, span, sort }, { counts, skip })
  const appointments =
    scope === 'everybody' ? rows.map(rowOf) : await ownRows(db, scope.providerNo, rows)
  return { appointments, ...answer }
}

/** Filters that a provider's own history does not have. */
const OWN = { region: null, state: 'all', reference: null, gateway: null } as const

/** A page sorted other than by day: one provider has few enough bookings to sort them. */
async function listOrdered(
  db: Db,
  providerNo: number,
  input: HistoryInput & { sort_by: HistorySortBy },
): Promise<HistoryPage> {
  const { page, sort, sort_by: sortBy, payment_method: requestedMethod } = input
  const method = requestedMethod === 'all' ? null : requestedMethod
  const months = monthsOf(input)
  if (months === 'none') return { appointments: [], current_page: page, total_pages: 0, total: 0 }
  const span = months === null ? null : wallSpan(months)
  const people = { patientNos: [], providerNos: [providerNo] }
  const criteria: HistoryCriteria = { ...OWN, method, span, people }
  const view = { scope: { providerNo }, method, region: null }
  const total = countOf(await countByMonth(db, { ...view, months, sort, byMethod: false }))
  const skip = (page - 1) * HISTORY_PAGE_SIZE
  const nos = await listNos(db, criteria, { sort, sortBy, skip, limit: HISTORY_PAGE_SIZE })
  const appointments = await ownRows(db, providerNo, await listRows(db, nos))
  return { appointments, current_page: page, total_pages: pagesOf(total), total }
}

/** A page of the viewer's own booked appointments. */
export async function providerHistory(ctx: AsProvider, input: HistoryInput): Promise<HistoryPage> {
  const { db } = ctx.database
  const { no } = await ownProvider(ctx, db)
  const { sort_by: sortBy = 'date' } = input
  if (sortBy !== 'date') return listOrdered(db, no, { ...input, sort_by: sortBy })
  return listHistory(ctx, { providerNo: no }, input)
}

type OwnHistory = { providerNo: number; input: AllHistoryInput }

/** The filters as a query; null for a year out of range. */
function ownCriteria({ providerNo, input }: OwnHistory): HistoryCriteria | null {
  const months = monthsOf(input)
  if (months === 'none') return null
  const { payment_method: method } = input
  return {
    ...OWN,
    method: method === 'all' ? null : method,
    span: months === null ? null : wallSpan(months),
    people: { patientNos: [], providerNos: [providerNo] },
  }
}

/** Number of rows in the viewer's own filtered history, counted up to `most`. */
export async function countOwnHistory(db: Db, own: OwnHistory, max: number): Promise<number> {
  const criteria = ownCriteria(own)
  return criteria === null ? 0 : countFiltered(db, criteria, max)
}

/** Rows of the viewer's own filtered history, from `skip` on. */
export async function listOwnHistory(
  db: Db,
  own: OwnHistory,
  { skip, limit }: Part,
): Promise<HistoryRow[]> {
  const { providerNo, input } = own
  const { sort, sort_by: sortBy = 'date' } = input
  const criteria = ownCriteria(own)
  if (criteria === null) return []
  const records = await listRows(db, await listNos(db, criteria, { sort, sortBy, skip, limit }))
  return ownRows(db, providerNo, records)
}

/** The viewer's own filtered history for printing, up to `PRINT_MAX` rows. */
export async function printOwnHistory(
  ctx: AsProvider,
  input: AllHistoryInput,
): Promise<HistorySheet> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const read = (part: Part) => listOwnHistory(db, { providerNo, input }, part)
  const { rows, isCut } = await readAllRows(read, PRINT_MAX)
  return { appointments: rows, isCut }
}

/** Rows per read; other requests get a turn in between. */
const BATCH = 500

export type Part = { skip: number; limit: number }

type Read<Row> = (part: Part) => Promise<Row[]>

/**
 * Yields the rows of `read` in batches, at most `max` rows, each batch read on demand. Returns whether there
 * are more.
 */
export async function* readBatches<Row>(
  read: Read<Row>,
  max: number,
): AsyncGenerator<Row[], boolean> {
  let count = 0
  for (;;) {
    // One more than there is room for tells whether there are more.
    const limit = Math.min(BATCH, max - count + 1)
    const batch = await read({ skip: count, limit })
    const rows = batch.slice(0, max - count)
    count += rows.length
    if (rows.length > 0) yield rows
    if (rows.length < batch.length) return true
    if (batch.length < limit) return false
    await yieldToEventLoop()
  }
}

/** All rows in one array; `isCut` if there are more than `max`. */
export async function readAllRows<Row>(
  read: Read<Row>,
  max: number,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const batches = readBatches(read, max)
  const rows: Row[] = []
  for (;;) {
    const { done, value } = await batches.next()
    if (done) return { rows, isCut: value }
    rows.push(...value)
  }
}

/** What the viewer's visits of this month have earned and will earn: paid, less refunds. */
export async function readEarnings(ctx: AsProvider): Promise<Earnings> {
  const { db } = ctx.database
  const { no: providerNo, currency } = await ownProvider(ctx, db)
  const now = ctx.now()
  const month = monthAt(wallClock(now, await mainZone(db, providerNo)))
  const span = wallSpan({ first: month, last: month })
  const rows = await sumEarnings(db, { providerNo, span, now })
  const sumOf = (some: typeof rows) => ({
    minor: some.reduce((sum, { kept }) => sum + kept, 0),
    currency: rows[0]?.currency ?? currency,
  })
  // A cancelled visit counts as over: the part of its fee that was kept is earned.
  const isOver = ({ over, state }: (typeof rows)[number]) => over === 1 || state === 'cancelled'
  const coming = rows.filter((row) => !isOver(row))
  return {
    month: toIso(span.from).slice(0, 10),
    earned: sumOf(rows.filter(isOver)),
    visits: rows.filter(({ over, state }) => over === 1 && state === 'confirmed').length,
    coming: sumOf(coming),
    comingVisits: coming.length,
  }
}

/** Both regions' zones are whole hours from UTC all year. */
const regionDay = (at: number, region: Region) =>
  Math.floor(wallClock(at, regionFacts[region].timeZone) / DAY_MS)

/**
 * Bookings and income of the last thirty days before refunds, by the local day of payment in their region.
 * The database sums by hour; hours are grouped into days here.
 */
export async function incomeByDay(ctx: Pick<Context, 'database' | 'now'>): Promise<IncomeByDay> {
  const now = ctx.now()
  // The later of the regions' current dates, so that nothing of today is left out.
  const last = Math.max(regionDay(now, 'uk'), regionDay(now, 'usa'))
  const first = last - INCOME_DAYS + 1
  const days = Array.from({ length: INCOME_DAYS }, (_, n) => ({
    date: dateOfDay(first + n),
    bookings: 0,
    income: { GBP: 0, USD: 0 },
  }))
  const sum = { bookings: 0, income: { GBP: 0, USD: 0 } }
  for (const hour of await sumByHour(ctx.database.db, (first - 1) * DAY_MS)) {
    const day = days[regionDay(hour.at, hour.region) - first]
    if (day === undefined) continue
    for (const part of [day, sum]) {
      part.bookings += hour.bookings
      part.income[hour.currency] += hour.minor
    }
  }
  return { days, ...sum }
}
