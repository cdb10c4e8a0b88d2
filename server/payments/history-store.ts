import { type SqlBool, sql } from 'kysely'
import type { HistorySort } from '#contract/payments-history.ts'
import type { WallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { MonthCount, MonthSpan } from './history-rules.ts'

/** Whose bookings: one provider's, or everybody's. */
export type HistoryScope = { providerNo: number } | 'everybody'

/** Literally as in the index, or Postgres would not use it. */
const BOOKED = sql<SqlBool>`b.state in ('confirmed', 'cancelled')`

export type HistoryView = {
  scope: HistoryScope
  /** Null is either. */
  method: 'stripe' | 'paypal' | null
}

/** Bookings by month, in the order of the history. */
export async function countByMonth(
  db: Db,
  { scope, method, months, sort }: HistoryView & { months: MonthSpan; sort: HistorySort },
): Promise<MonthCount[]> {
  let query = db
    .selectFrom('booking_months')
    .select(['month', ({ fn }) => fn.sum<number | string>('n').as('n')])
    .where('scope_no', '=', scope === 'everybody' ? 0 : scope.providerNo)
    .groupBy('month')
    .orderBy('month', sort)
  if (method !== null) query = query.where('method', '=', method)
  if (months !== null) {
    query = query.where('month', '>=', months.first).where('month', '<=', months.last)
  }
  const rows = await query.execute()
  // Postgres adds up integers to text.
  return rows.map(({ month, n }) => ({ month, n: Number(n) })).filter(({ n }) => n > 0)
}

type Span = { from: WallClock; to: WallClock }

function bookedIn(db: Db, { scope, method }: HistoryView, span: Span | null) {
  let query = db.selectFrom('bookings as b').where(BOOKED)
  if (scope !== 'everybody') query = query.where('b.provider_no', '=', scope.providerNo)
  if (method !== null) query = query.where('b.payment_method', '=', method)
  if (span !== null) {
    query = query.where('b.wall_at', '>=', span.from).where('b.wall_at', '<', span.to)
  }
  return query
}

const opposite = { asc: 'desc', desc: 'asc' } as const

type Key = { wall_at: WallClock; no: number }
type Wanted = { span: Span; nth: number; isFromEnd: boolean; sort: HistorySort }

/** The key of the nth row of a span, read from the index alone. */
export function findKey(
  db: Db,
  view: HistoryView,
  { span, nth, isFromEnd, sort }: Wanted,
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

/** Rows from a key on, with everything a history shows. */
export function listFrom(db: Db, view: HistoryView, { span, from, sort, limit }: Listing) {
  return db
    .selectFrom(
      bookedIn(db, view, span)
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
        .as('b'),
    )
    .leftJoin('accounts as a', 'a.no', 'b.patient_no')
    .leftJoin('providers as p', 'p.no', 'b.provider_no')
    .leftJoin('payments as y', 'y.no', 'b.paid_by')
    .select([
      'b.id',
      'b.wall_at',
      'b.region',
      'b.state',
      'b.payment_method',
      'a.first_name as user_first_name',
      'a.last_name as user_last_name',
      'a.erased_at as user_erased_at',
      'p.title',
      'p.first_name',
      'p.last_name',
      'y.amount_minor',
      'y.currency',
      (eb) =>
        eb
          .selectFrom('refunds as r')
          .select(({ fn }) => fn.sum<number | string | null>('r.amount_minor').as('sum'))
          .whereRef('r.payment_no', '=', 'b.paid_by')
          .where('r.state', '<>', 'failed')
          .as('refunded_minor'),
    ])
    .orderBy('b.wall_at', sort)
    .orderBy('b.no', sort)
    .execute()
}

export type HistoryRecord = Awaited<ReturnType<typeof listFrom>>[number]

type MonthOfProvider = { providerNo: number; span: Span; now: number }

/** What a provider's visits of a span brought in, apart for those that are over by `now`. */
export async function sumEarnings(db: Db, { providerNo, span, now }: MonthOfProvider) {
  const rows = await bookedIn(db, { scope: { providerNo }, method: null }, span)
    .innerJoin('payments as y', 'y.no', 'b.paid_by')
    .where('y.state', '=', 'paid')
    .select([
      'b.state',
      'y.amount_minor',
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
    kept: row.amount_minor - Number(refunded ?? 0),
  }))
}
