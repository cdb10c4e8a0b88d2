import { type SqlBool, sql } from 'kysely'
import { BOOKED } from '#contract/life-cycles/visit.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BookingRow } from '#db/tables/booking.ts'

/** A booked visit of a provider or a patient by its id. */
export function findBooked(
  db: Db,
  id: string,
  whose: { providerNo: number } | { patientNo: number },
) {
  const query = db
    .selectFrom('bookings')
    .select(['no', 'paid_by'])
    .where('id', '=', id)
    .where('state', 'in', BOOKED)
  const own =
    'providerNo' in whose
      ? query.where('provider_no', '=', whose.providerNo)
      : query.where('patient_no', '=', whose.patientNo)
  return own.executeTakeFirst()
}

/** A booked visit by its id, without an ownership check. */
export function findAnyBooked(db: Db, id: string) {
  return db
    .selectFrom('bookings')
    .selectAll()
    .where('id', '=', id)
    .where('state', 'in', BOOKED)
    .executeTakeFirst()
}

/** The payment a booked visit is paid by. */
export async function getPaidBy(db: Db, no: number): Promise<number> {
  const { paid_by: paymentNo } = await db
    .selectFrom('bookings')
    .select('paid_by')
    .where('no', '=', no)
    .executeTakeFirstOrThrow()
  if (paymentNo === null) throw new Error('A booked visit is not paid for.')
  return paymentNo
}

/** Locks a booking until the transaction ends, and returns it. */
export function lockBooking(db: Db, no: number) {
  // An update locks the row on both engines.
  return db
    .updateTable('bookings')
    .set((eb) => ({ renewed: eb.ref('renewed') }))
    .where('no', '=', no)
    .returningAll()
    .executeTakeFirstOrThrow()
}

type MarkedColumns = Pick<BookingRow, 'outcome' | 'outcome_at' | 'arrived_at'>

/** Writes a visit's outcome. The caller has locked it. */
export async function setMarked(db: Db, no: number, marked: MarkedColumns): Promise<void> {
  await db.updateTable('bookings').set(marked).where('no', '=', no).execute()
}

type Unmarked = {
  now: Instant
  /** How long after its end a visit counts as completed, in milliseconds. */
  after: number
  limit: number
}

/**
 * Completes unmarked visits that are due, and returns how many there were. They count as completed from
 * `after` milliseconds after their end, however late the job runs.
 */
export async function completeUnmarked(db: Db, { now, after, limit }: Unmarked): Promise<number> {
  const due = db
    .selectFrom('bookings')
    .select('no')
    .where('state', '=', 'confirmed')
    .where('outcome', 'is', null)
    .where('end_at', '<=', now - after)
    .orderBy('end_at')
    .limit(limit)
  const result = await db
    .updateTable('bookings')
    .set((eb) => ({ outcome: 'completed', outcome_at: eb('end_at', '+', after) }))
    .where('no', 'in', due)
    .where('state', '=', 'confirmed')
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Who joined a visit by video, and when. */
export function listJoins(db: Db, bookingNo: number) {
  return db
    .selectFrom('visit_joins')
    .select(['by_kind', 'at'])
    .where('booking_no', '=', bookingNo)
    .orderBy('at')
    .orderBy('no')
    .execute()
}

/** The visit for an outcome email, with its recipients. */
export function findMarked(db: Db, bookingId: string) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .leftJoin('reminder_settings as s', 's.account_no', 'a.no')
    .select([
      'b.no',
      'b.id',
      'b.reference',
      'b.region',
      'b.start_at',
      'b.time_zone',
      'b.outcome',
      'b.outcome_at',
      'b.currency',
      'b.no_show_percent',
      'b.visit_type',
      'b.first_minor',
      'b.follow_minor',
      'b.paid_by',
      's.discreet',
      'p.title',
      'p.first_name',
      'p.last_name',
      'a.id as patient_id',
      'a.email as patient_email',
      'a.first_name as patient_first_name',
      'a.erased_at as patient_erased_at',
    ])
    .where('b.id', '=', bookingId)
    .$narrowType<{ paid_by: number }>()
    .executeTakeFirst()
}

export type DueNoShow = { no: number; outcome_at: Instant }

/**
 * Minor units left of a visit's payment exceed what is kept of its price: `retainedOfNoShow` in SQL. A failed
 * refund by staff makes it due again.
 */
const IS_OWED = sql<SqlBool>`exists (
  select 1 from payments p
  where p.no = b.paid_by and p.state = 'paid'
    and 100 * (coalesce(p.taken_minor, p.amount_minor) - coalesce(
      (select sum(x.amount_minor) from refunds x where x.payment_no = p.no and x.state <> 'failed'), 0
    )) > b.no_show_percent
      * (case b.visit_type when 'follow_up' then b.follow_minor else b.first_minor end)
)`

/**
 * No-shows marked before an instant that are due a partial refund: without an open claim, not refunded for it
 * yet, and with something left to refund; in the order they were marked.
 */
export async function listDueNoShows(
  db: Db,
  wanted: { markedBefore: Instant; after: DueNoShow | null; limit: number },
): Promise<DueNoShow[]> {
  const { markedBefore, after, limit } = wanted
  let query = db
    .selectFrom('bookings as b')
    .select(['b.no', 'b.outcome_at'])
    .where('b.outcome', '=', 'no_show')
    .where('b.outcome_at', '<=', markedBefore)
    .where('b.no_show_percent', '<', 100)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('outcome_claims as c')
            .select('c.id')
            .whereRef('c.booking_no', '=', 'b.no')
            .where('c.state', '=', 'open'),
        ),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('refunds as r')
            .select('r.id')
            .whereRef('r.payment_no', '=', 'b.paid_by')
            .where('r.reason', '=', 'no_show'),
        ),
      ),
    )
    // Last, because all before it is answered by indexes.
    .where(IS_OWED)
    .orderBy('b.outcome_at')
    .orderBy('b.no')
    .limit(limit)
  if (after !== null) {
    query = query.where((where) =>
      where.or([
        where('b.outcome_at', '>', after.outcome_at),
        where.and([where('b.outcome_at', '=', after.outcome_at), where('b.no', '>', after.no)]),
      ]),
    )
  }
  return query.$narrowType<{ outcome_at: number }>().execute()
}

/** Whether staff have corrected a visit's outcome. */
export async function hasCorrection(db: Db, bookingNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('visit_changes')
    .select('no')
    .where('booking_no', '=', bookingNo)
    .where('what', '=', 'corrected')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
