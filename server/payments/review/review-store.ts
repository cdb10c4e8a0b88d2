import { refundLife } from '#contract/life-cycles/refund.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PaymentDifferenceRow } from '#db/tables/payments.ts'

const countOf = ({ count }: { count: number | string }) => Number(count)

/** Number of payments, failed refunds and differences that need attention. */
export async function countWaiting(db: Db) {
  const [payments, refunds, differences] = await Promise.all([
    db
      .selectFrom('payments')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('state', '=', 'review')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('refunds')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('state', '=', 'failed')
      .where('dealt_at', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('payment_differences')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('dealt_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return {
    payments: countOf(payments),
    refunds: countOf(refunds),
    differences: countOf(differences),
  }
}

/** Maximum rows listed at once, oldest first: more than one person can decide in a day. */
const MAX_LISTED = 100

function withPeople(db: Db) {
  return db
    .selectFrom('payments as y')
    .innerJoin('bookings as b', 'b.no', 'y.booking_no')
    .innerJoin('accounts as a', 'a.no', 'y.patient_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select([
      'b.id',
      'b.start_at',
      'b.time_zone',
      'a.first_name as user_first_name',
      'a.last_name as user_last_name',
      'a.erased_at as user_erased_at',
      'p.title',
      'p.first_name',
      'p.last_name',
      'y.gateway',
      'y.gw_payment',
      'y.currency',
    ])
}

/** Payments that don’t match. */
export function listInReview(db: Db) {
  return withPeople(db)
    .select([
      'y.id as payment_id',
      'y.amount_minor',
      'y.taken_minor',
      'y.taken_currency',
      'y.updated_at',
      (eb) =>
        eb
          .selectFrom('refunds as r')
          .select(({ fn }) => fn.sum<number | string | null>('r.amount_minor').as('sum'))
          .whereRef('r.payment_no', '=', 'y.no')
          .where('r.state', '<>', 'failed')
          .as('refunded'),
    ])
    .where('y.state', '=', 'review')
    .orderBy('y.updated_at')
    .limit(MAX_LISTED)
    .execute()
}

/** Refunds that no gateway could pay out and that are not resolved. */
export function listFailedRefunds(db: Db) {
  return withPeople(db)
    .innerJoin('refunds as r', 'r.payment_no', 'y.no')
    .select([
      'r.id as refund_id',
      'r.amount_minor',
      'r.currency as refund_currency',
      'r.gw_refund',
      'r.failure',
      'r.updated_at',
    ])
    .where('r.state', '=', 'failed')
    .where('r.dealt_at', 'is', null)
    .orderBy('r.updated_at')
    .limit(MAX_LISTED)
    .execute()
}

/** When the visit of a booking begins. */
export async function getStart(db: Db, bookingNo: number): Promise<Instant> {
  const row = await db
    .selectFrom('bookings')
    .select('start_at')
    .where('no', '=', bookingNo)
    .executeTakeFirstOrThrow()
  return row.start_at
}

type Resolution = { by: string; note: string; now: Instant }

/**
 * Marks a failed refund as refunded, paid back another way: it counts, whatever the gateway says. Returns its
 * payment and amount, or null if it is no longer failed.
 */
export async function markRefunded(db: Db, id: string, { by, note, now }: Resolution) {
  const row = await db
    .updateTable('refunds')
    .set({
      state: refundLife.to('settle'),
      dealt_at: now,
      dealt_by: by,
      dealt_note: note,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('state', 'in', refundLife.from('settle'))
    .where('dealt_at', 'is', null)
    .returning(['payment_no', 'amount_minor', 'currency'])
    .executeTakeFirst()
  return row ?? null
}

/** The payment of a refund, resolved or not. */
export function findRefundsPayment(db: Db, id: string) {
  return db
    .selectFrom('refunds as r')
    .innerJoin('payments as y', 'y.no', 'r.payment_no')
    .innerJoin('bookings as b', 'b.no', 'y.booking_no')
    .select(['y.no', 'y.id as payment_id', 'y.state as payment_state', 'b.id', 'r.dealt_at'])
    .where('r.id', '=', id)
    .executeTakeFirst()
}

/** Number of open or resolved differences. */
export async function countDifferences(db: Db, show: 'open' | 'dealt'): Promise<number> {
  const row = await db
    .selectFrom('payment_differences')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('dealt_at', show === 'open' ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  return countOf(row)
}

function withOurs(db: Db) {
  return db
    .selectFrom('payment_differences as d')
    .leftJoin('payments as y', 'y.no', 'd.payment_no')
    .leftJoin('bookings as b', 'b.no', 'y.booking_no')
    .selectAll('d')
    .select([
      'b.id as booking_id',
      'y.id as payment_id',
      'y.amount_minor as our_minor',
      'y.currency as our_currency',
    ])
}

type Shown = { show: 'open' | 'dealt'; skip: number; limit: number }

/** Differences, the newest first. */
export function listDifferences(db: Db, { show, skip, limit }: Shown) {
  return withOurs(db)
    .where('d.dealt_at', show === 'open' ? 'is' : 'is not', null)
    .orderBy(show === 'open' ? 'd.found_at' : 'd.dealt_at', 'desc')
    .orderBy('d.object')
    .orderBy('d.kind')
    .limit(limit)
    .offset(skip)
    .execute()
}

export type DifferenceRecord = Awaited<ReturnType<typeof listDifferences>>[number]

type DifferenceKey = Pick<PaymentDifferenceRow, 'gateway' | 'object' | 'kind'>

export function findDifference(
  db: Db,
  { gateway, object, kind }: DifferenceKey,
): Promise<DifferenceRecord | undefined> {
  return withOurs(db)
    .where('d.gateway', '=', gateway)
    .where('d.object', '=', object)
    .where('d.kind', '=', kind)
    .executeTakeFirst()
}

/** Marks a difference as resolved; false if it already was. */
export async function markResolved(
  db: Db,
  { gateway, object, kind }: DifferenceKey,
  { by, note, now }: Resolution,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payment_differences')
    .set({ dealt_at: now, dealt_by: by, dealt_note: note })
    .where('gateway', '=', gateway)
    .where('object', '=', object)
    .where('kind', '=', kind)
    .where('dealt_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
