import { type SqlBool, sql } from 'kysely'
import type { PaymentMethod, VisitType } from '#contract/booking.ts'
import { LIVE_PAYMENT, PENDING_PAYMENT } from '#contract/life-cycles/payment.ts'
import { BOOKED, UNPAID, visitLife } from '#contract/life-cycles/visit.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BookingRow } from '#db/tables/booking.ts'

/** When a patient's unpaid holds began, since an instant. */
export function listUnpaid(db: Db, of: { patientNo: number; since: Instant }) {
  return db
    .selectFrom('bookings')
    .select('created_at')
    .where('patient_no', '=', of.patientNo)
    .where('state', 'in', UNPAID)
    .where('created_at', '>', of.since)
    .execute()
}

/**
 * Providers of a patient's upcoming visits: booked ones and active holds. An expired hold counts while its
 * payment could still book the visit.
 */
export function listUpcoming(db: Db, of: { patientNo: number; now: Instant }) {
  return db
    .selectFrom('bookings as b')
    .select('b.provider_no')
    .where('b.patient_no', '=', of.patientNo)
    .where('b.start_at', '>', of.now)
    .where((where) =>
      where.or([
        where('b.state', '=', 'confirmed'),
        where.and([
          where('b.state', '=', 'held'),
          where.or([
            where('b.hold_until', '>', of.now),
            where.exists(
              where
                .selectFrom('payments as y')
                .select('y.no')
                .whereRef('y.booking_no', '=', 'b.no')
                .where('y.state', 'in', LIVE_PAYMENT),
            ),
          ]),
        ]),
      ]),
    )
    .execute()
}

/** Whether a patient has ever paid for a visit, whatever its state now. */
export async function hasEverPaid(db: Db, patientNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('bookings')
    .select('no')
    .where('patient_no', '=', patientNo)
    .where('state', 'in', BOOKED)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type NewcomerFilter = { now: Instant; heldFrom?: string; providerNo?: number }

/** Active holds of people who have never paid, from one network or with one provider. */
export function listNewcomerHolds(db: Db, { now, heldFrom, providerNo }: NewcomerFilter) {
  let query = db
    .selectFrom('bookings')
    .select(['held_from', 'provider_no'])
    .where('state', '=', 'held')
    .where('hold_until', '>', now)
    .where('held_from', 'is not', null)
  if (heldFrom !== undefined) query = query.where('held_from', '=', heldFrom)
  if (providerNo !== undefined) query = query.where('provider_no', '=', providerNo)
  return query.execute()
}

type VisitorHoldRef = { no: number; visitor: string; now: Instant }
type Owner = {
  patientNo: number
  purpose: string
  /** The patient has paid for a visit before: the hold is not counted by network. */
  isKnown: boolean
}

/**
 * Transfers a visitor's hold to a patient, while it is active and still the visitor's. Returns the keyed
 * network it was held from; undefined when it is no longer the visitor's.
 */
export async function setPatient(
  db: Db,
  { no, visitor, now }: VisitorHoldRef,
  { patientNo, purpose, isKnown }: Owner,
): Promise<string | null | undefined> {
  const held = await db
    .updateTable('bookings')
    .set({ patient_no: patientNo, visitor: null, purpose })
    .where('no', '=', no)
    .where('visitor', '=', visitor)
    .where('state', '=', 'held')
    .where('hold_until', '>', now)
    .returning('held_from')
    .executeTakeFirst()
  if (held !== undefined && isKnown) {
    await db.updateTable('bookings').set({ held_from: null }).where('no', '=', no).execute()
  }
  return held?.held_from
}

/**
 * Expires a visitor's hold now; the next request for its time releases it. Returns its time and provider;
 * undefined when there was none.
 */
export function expireVisitorHold(db: Db, { visitor, now }: Omit<VisitorHoldRef, 'no'>) {
  return db
    .updateTable('bookings')
    .set({ visitor: null, hold_until: now })
    .where('visitor', '=', visitor)
    .where('state', '=', 'held')
    .returning(['provider_no', 'start_at', 'end_at'])
    .executeTakeFirst()
}

/** Cursor in the list of expired holds. */
export type OverdueHold = Pick<BookingRow, 'id' | 'hold_until'> & { no: number }

export type Overdue = {
  now: Instant
  after: OverdueHold | null
  limit: number
  /** Only those that could still be paid at this gateway; null for those without a live payment. */
  gateway: PaymentMethod | null
}

/** Expired holds after `after`, the longest expired first. */
export function listOverdueHolds(db: Db, { now, after, limit, gateway }: Overdue) {
  let query = db
    .selectFrom('bookings')
    .select(['no', 'id', 'hold_until'])
    .where(sql<SqlBool>`state = 'held'`)
    .where('hold_until', '<=', now)
    .where((eb) => {
      const live = eb
        .selectFrom('payments as p')
        .select(sql.lit(1).as('one'))
        .whereRef('p.booking_no', '=', 'bookings.no')
        .where('p.state', 'in', PENDING_PAYMENT)
      if (gateway === null) return eb.not(eb.exists(live))
      return eb.exists(live.where('p.gateway', '=', gateway))
    })
    .orderBy('hold_until')
    .orderBy('no')
    .limit(limit)
  if (after !== null) {
    query = query.where((eb) =>
      eb(eb.refTuple('hold_until', 'no'), '>', eb.tuple(after.hold_until, after.no)),
    )
  }
  return query.execute()
}

/** Locks a held booking until the transaction ends, and returns it; undefined when it is not held. */
export function lockHeld(db: Db, no: number) {
  return db
    .updateTable('bookings')
    .set({ state: 'held' })
    .where('no', '=', no)
    .where('state', '=', 'held')
    .returningAll()
    .executeTakeFirst()
}

/** Extends a hold, once; false when it was already extended or has ended. */
export async function extendHold(
  db: Db,
  no: number,
  change: { until: Instant; now: Instant },
): Promise<boolean> {
  const result = await db
    .updateTable('bookings')
    .set({ hold_until: change.until, renewed: 1 })
    .where('no', '=', no)
    .where('state', '=', 'held')
    .where('renewed', '=', 0)
    .where('hold_until', '>', change.now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export type Choices = {
  visit_type?: VisitType
  follow_up_basis?: BookingRow['follow_up_basis']
  mode?: BookingRow['mode']
  patient_state?: string | null
  payment_method?: PaymentMethod
  purpose?: string
  code_at?: Instant
}

/** Writes the choices while the hold is active; false when it no longer is. */
export async function updateChoices(
  db: Db,
  no: number,
  { choices, now }: { choices: Choices; now: Instant },
): Promise<boolean> {
  const result = await db
    .updateTable('bookings')
    .set(choices)
    .where('no', '=', no)
    .where('state', '=', 'held')
    .where('hold_until', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Releases a hold. The caller has locked it. */
export async function setReleased(db: Db, no: number, now: Instant): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ state: visitLife.to('release'), closed_at: now, held_from: null, visitor: null })
    .where('no', '=', no)
    .where('state', 'in', visitLife.from('release'))
    .execute()
}

/** Numbers of a patient's held bookings, expired or not. */
export async function listHeldBy(db: Db, patientNo: number): Promise<number[]> {
  const rows = await db
    .selectFrom('bookings')
    .select('no')
    .where('patient_no', '=', patientNo)
    .where('state', '=', 'held')
    .orderBy('no')
    .execute()
  return rows.map(({ no }) => no)
}

/**
 * Locks a patient's own hold by its id, if it is still held, so that requests about it from two tabs run one
 * after the other.
 */
export async function lockOwnHold(db: Db, id: string, patientNo: number): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ state: 'held' })
    .where('id', '=', id)
    .where('patient_no', '=', patientNo)
    .where('state', '=', 'held')
    .execute()
}

/** Locks a released booking until the transaction ends; undefined when it is not released. */
export function lockReleased(db: Db, no: number) {
  return db
    .updateTable('bookings')
    .set({ state: 'released' })
    .where('no', '=', no)
    .where('state', '=', 'released')
    .returningAll()
    .executeTakeFirst()
}

/** Makes a released booking a hold again. The caller has locked it and claimed its time. */
export async function restoreHold(db: Db, no: number): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ state: visitLife.to('revive'), closed_at: null })
    .where('no', '=', no)
    .where('state', 'in', visitLife.from('revive'))
    .execute()
}
