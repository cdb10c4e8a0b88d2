import { type SqlBool, sql } from 'kysely'
import type { Region } from '#contract/base/region.ts'
import type { HistorySort } from '#contract/payments-history.ts'
import type { Instant, WallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { MonthCount, MonthSpan } from './history-rules.ts'

/** Whose bookings: those of one provider, or everybody's. */
export type HistoryScope = { providerNo: number } | 'everybody'

/** Must match the index condition literally, or Postgres would not use the index. */
const BOOKED = sql<SqlBool>`b.state in ('confirmed', 'cancelled')`

export type HistoryView = {
  scope: HistoryScope
  /** Null is either. */
  method: 'stripe' | 'paypal' | null
  /** Null for both; only applies to everybody's history. */
  region: Region | null
}

/** In the counts of everybody's bookings, US bookings use the shards from here on. */
const FIRST_SHARD_OF_USA = 16

type Counting = HistoryView & { months: MonthSpan; sort: HistorySort; byMethod: boolean }

/** Bookings by month, or by payment method and month, in the order of the history. */
export async function countByMonth(db: Db, counting: Counting): Promise<MonthCount[]> {
  const { scope, method, region, months, sort, byMethod } = counting
  let query = db
    .selectFrom('booking_months')
    .select(['month', ({ fn }) => fn.sum<number | string>('n').as('n')])
    .where('scope_no', '=', scope === 'everybody' ? 0 : scope.providerNo)
  if (method !== null) query = query.where('method', '=', method)
  if (region !== null && scope === 'everybody') {
    query = query.where('shard', region === 'usa' ? '>=' : '<', FIRST_SHARD_OF_USA)
  }
  if (months !== null) {
    query = query.where('month', '>=', months.first).where('month', '<=', months.last)
  }
  // Postgres returns integer sums as text.
  if (byMethod) {
    const rows = await query
      .select('method')
      .groupBy(['method', 'month'])
      .orderBy('method', sort)
      .orderBy('month', sort)
      .execute()
    return rows.map((row) => ({ ...row, n: Number(row.n) })).filter(({ n }) => n > 0)
  }
  const rows = await query.groupBy('month').orderBy('month', sort).execute()
  return rows.map((row) => ({ ...row, method: null, n: Number(row.n) })).filter(({ n }) => n > 0)
}

export type Span = { from: WallClock; to: WallClock }

/** Bookings of a history, in a span or in all months. */
function bookedIn(db: Db, { scope, method, region }: HistoryView, span: Span | null) {
  let query = db.selectFrom('bookings as b').where(BOOKED)
  if (scope !== 'everybody') query = query.where('b.provider_no', '=', scope.providerNo)
  if (method !== null) query = query.where('b.payment_method', '=', method)
  if (region !== null) query = query.where('b.region', '=', region)
  if (span !== null) {
    query = query.where('b.wall_at', '>=', span.from).where('b.wall_at', '<', span.to)
  }
  return query
}

const opposite = { asc: 'desc', desc: 'asc' } as const

export type Key = { wall_at: WallClock; no: number }
type KeyQuery = { span: Span; nth: number; isFromEnd: boolean; sort: HistorySort }

/** The key of the nth row of a span, by an index-only scan. */
export function findKey(
  db: Db,
  view: HistoryView,
  { span, nth, isFromEnd, sort }: KeyQuery,
): Promise<Key | undefined> {
  const order = isFromEnd ? opposite[sort] : sort
  return bookedIn(db, view, span)
    .select(['b.wall_at', 'b.no'])
    .orderBy('b.wall_at', order)
    .orderBy('b.no', order)
    .limit(1)
    .offset(nth)
    .executeTakeFirst()
}

type Listing = { span: Span | null; from: Key; sort: HistorySort; limit: number }

function fromKey(db: Db, view: HistoryView, { span, from, sort, limit }: Listing) {
  return bookedIn(db, view, span)
    .selectAll('b')
    .where((where) =>
      where(
        where.refTuple('b.wall_at', 'b.no'),
        sort === 'asc' ? '>=' : '<=',
        where.tuple(from.wall_at, from.no),
      ),
    )
    .orderBy('b.wall_at', sort)
    .orderBy('b.no', sort)
    .limit(limit)
}

/** The amount received, which exceeds the price where staff accepted more: the excess is among the refunds. */
const RECEIVED = sql<number | null>`coalesce(y.taken_minor, y.amount_minor)`

/** Bookings with all columns that a history shows. */
function shown(db: Db, some: ReturnType<typeof fromKey>) {
  return db
    .selectFrom(some.as('b'))
    .leftJoin('accounts as a', 'a.no', 'b.patient_no')
    .leftJoin('providers as p', 'p.no', 'b.provider_no')
    .leftJoin('payments as y', 'y.no', 'b.paid_by')
    .leftJoin('places as l', 'l.no', 'b.place_no')
    .select([
      'b.no',
      'b.id',
      'b.reference',
      'b.wall_at',
      'b.region',
      'b.state',
      'b.payment_method',
      'b.mode',
      'a.first_name as user_first_name',
      'a.last_name as user_last_name',
      'a.erased_at as user_erased_at',
      'l.name as place_name',
      'p.title',
      'p.first_name',
      'p.last_name',
      RECEIVED.as('amount_minor'),
      'y.currency',
      (eb) =>
        eb
          .selectFrom('refunds as r')
          .select(({ fn }) => fn.sum<number | string | null>('r.amount_minor').as('sum'))
          .whereRef('r.payment_no', '=', 'b.paid_by')
          .where('r.state', '<>', 'failed')
          .as('refunded_minor'),
    ])
}

/** Rows from a key on, with all columns that a history shows. */
export function listFrom(db: Db, view: HistoryView, listing: Listing) {
  const { sort } = listing
  return shown(db, fromKey(db, view, listing))
    .orderBy('b.wall_at', sort)
    .orderBy('b.no', sort)
    .execute()
}

/** Rows by their numbers, in the same order. */
export async function listRows(db: Db, nos: readonly number[]): Promise<HistoryRecord[]> {
  if (nos.length === 0) return []
  const some = db.selectFrom('bookings as b').selectAll('b').where('b.no', 'in', nos)
  const rows = await shown(db, some).execute()
  return rows.toSorted((one, other) => nos.indexOf(one.no) - nos.indexOf(other.no))
}

export type HistoryRecord = Awaited<ReturnType<typeof listFrom>>[number]

type MonthOfProvider = { providerNo: number; span: Span; now: number }

/**
 * A provider's paid visits in a span with what was kept of each payment; `over` is 1 for those over by `now`.
 */
export async function sumEarnings(db: Db, { providerNo, span, now }: MonthOfProvider) {
  const rows = await bookedIn(db, { scope: { providerNo }, method: null, region: null }, span)
    .innerJoin('payments as y', 'y.no', 'b.paid_by')
    .where('y.state', '=', 'paid')
    .select([
      'b.state',
      RECEIVED.$notNull().as('received_minor'),
      'y.currency',
      sql<number>`case when b.end_at <= ${now} then 1 else 0 end`.as('over'),
      (eb) =>
        eb
          .selectFrom('refunds as r')
          .select(({ fn }) => fn.sum<number | string | null>('r.amount_minor').as('sum'))
          .whereRef('r.payment_no', '=', 'y.no')
          .where('r.state', '<>', 'failed')
          .as('refunded_minor'),
    ])
    .execute()
  return rows.map(({ refunded_minor: refunded, ...row }) => ({
    ...row,
    kept: row.received_minor - Number(refunded ?? 0),
  }))
}

const HOUR_MS = 3_600_000

/** Bookings since an instant, by hour of payment and by region. */
export async function sumByHour(db: Db, since: Instant) {
  // Must match the indexed expression literally; the index covers the query.
  const paid = sql`(case visit_type when 'follow_up' then follow_minor else first_minor end)`
  const rows = await db
    .selectFrom('bookings')
    .select([
      sql<number | string>`confirmed_at / ${sql.lit(HOUR_MS)}`.as('hour'),
      'region',
      'currency',
      ({ fn }) => fn.countAll<number | string>().as('n'),
      sql<number | string>`sum(${paid})`.as('minor'),
    ])
    .where(sql<SqlBool>`state in ('confirmed', 'cancelled')`)
    .where('confirmed_at', '>=', since)
    .groupBy([sql`1`, 'region', 'currency'])
    .execute()
  return rows.map(({ hour, n, minor, ...rest }) => ({
    ...rest,
    at: Number(hour) * HOUR_MS,
    bookings: Number(n),
    minor: Number(minor),
  }))
}
