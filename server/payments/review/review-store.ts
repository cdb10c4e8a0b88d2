import { sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PaymentDifferenceRow } from '#db/tables/payments.ts'
import type { GatewayName, Payment } from '#server/payments/store.ts'

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
 * Marks a failed refund as paid by hand: it counts as refunded, whatever the gateway says. Returns its
 * payment and amount, or null if it is no longer failed.
 */
export async function markPaidByHand(db: Db, id: string, { by, note, now }: Resolution) {
  const row = await db
    .updateTable('refunds')
    .set({ state: 'done', dealt_at: now, dealt_by: by, dealt_note: note, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'failed')
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

const COMPARED_AT = 'payments.compared_at'

/** When the last complete comparison ran; undefined before the first. */
export async function findComparedAt(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('app_meta')
    .select('value')
    .where('key', '=', COMPARED_AT)
    .executeTakeFirst()
  return row === undefined ? undefined : Number(row.value)
}

export async function setComparedAt(db: Db, now: Instant): Promise<void> {
  const value = String(now)
  await db
    .insertInto('app_meta')
    .values({ key: COMPARED_AT, value })
    .onConflict((oc) => oc.column('key').doUpdateSet({ value }))
    .execute()
}

type ChargeIds = { gateway: GatewayName; paymentId: string | null; gwPayment: string }

/**
 * The payment that a charge belongs to: by our id as the gateway stored it, otherwise by the gateway's id.
 */
export async function findByCharge(db: Db, named: ChargeIds): Promise<Payment | undefined> {
  const ours = db.selectFrom('payments').selectAll().where('gateway', '=', named.gateway)
  const byId =
    named.paymentId === null
      ? undefined
      : await ours.where('id', '=', named.paymentId).executeTakeFirst()
  return byId ?? ours.where('gw_payment', '=', named.gwPayment).executeTakeFirst()
}

/** Whether a booking was paid by this payment. */
export async function hasVisit(db: Db, paymentNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('bookings')
    .select(sql.lit(1).as('one'))
    .where('paid_by', '=', paymentNo)
    .executeTakeFirst()
  return row !== undefined
}

export type Moved = Pick<Payment, 'updated_at' | 'no'>

type Walk = {
  gateway: GatewayName
  since: Instant
  /** Later updates are left to the next comparison, which overlaps this one. */
  until: Instant
  /** Last payment of the previous page. */
  after: Moved | null
  limit: number
}

/** Payments known to the gateway and updated between two instants, in order of the update. */
export function listUpdated(db: Db, walk: Walk): Promise<Payment[]> {
  const { gateway, since, until, after, limit } = walk
  // Comparing tuples is an index range scan on either engine; comparisons joined by `or` are not.
  const from = after ?? { updated_at: since, no: 0 }
  return db
    .selectFrom('payments')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('gw_session', 'is not', null)
    .where((eb) => eb(eb.refTuple('updated_at', 'no'), '>', eb.tuple(from.updated_at, from.no)))
    .where('updated_at', '<=', until)
    .orderBy('updated_at')
    .orderBy('no')
    .limit(limit)
    .execute()
}

/** Records a difference; false if it is already known with the same details. New details reopen it. */
export async function upsertDifference(
  db: Db,
  difference: Omit<PaymentDifferenceRow, 'told_at' | 'dealt_at' | 'dealt_by' | 'dealt_note'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('payment_differences')
    .values({ ...difference, told_at: null })
    .onConflict((oc) =>
      oc
        .columns(['gateway', 'object', 'kind'])
        .doUpdateSet({ details: difference.details, told_at: null, dealt_at: null })
        .where('payment_differences.details', 'is distinct from', difference.details),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Marks new differences as reported to staff; returns how many. */
export async function markReported(db: Db, now: Instant): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('payment_differences')
    .set({ told_at: now })
    .where('told_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Differences reported in one email, with the public ids of our payments. */
export function listReported(db: Db, toldAt: Instant) {
  return db
    .selectFrom('payment_differences as d')
    .leftJoin('payments as p', 'p.no', 'd.payment_no')
    .select([
      'd.gateway',
      'd.object',
      'd.kind',
      'd.amount_minor',
      'd.currency',
      'd.details',
      'p.id as payment_id',
    ])
    .where('d.told_at', '=', toldAt)
    .orderBy('d.kind')
    .orderBy('d.object')
    .execute()
}
