import { type SqlBool, sql } from 'kysely'
import { referenceOf } from '#contract/base/ids.ts'
import { LIVE_PAYMENT } from '#contract/life-cycles/payment.ts'
import { BOOKED, UNPAID } from '#contract/life-cycles/visit.ts'
import type { Instant, WholeRow } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BookingRow } from '#db/tables/booking.ts'

type OfPatient = { patientNo: number; since: Instant }

/** A patient's active holds, and visits booked since an instant. */
export function listRecent(db: Db, { patientNo, since }: OfPatient) {
  return db
    .selectFrom('bookings')
    .select(['id', 'provider_no', 'state', 'start_at', 'hold_until', 'confirmed_at'])
    .where('patient_no', '=', patientNo)
    .where((where) =>
      where.or([
        where('state', '=', 'held'),
        where.and([where('state', 'in', BOOKED), where('confirmed_at', '>', since)]),
      ]),
    )
    .execute()
}

type NewBooking = Omit<WholeRow<BookingRow>, 'id' | 'reference'>

/**
 * Inserts a booking under an id of `newId` with a unique reference. There are a billion references, so two
 * may collide; then the next id is used.
 */
export async function insertBooking(
  db: Db,
  row: NewBooking,
  newId: () => string,
): Promise<{ no: number; id: string }> {
  for (;;) {
    const id = newId()
    // Sequential: each try depends on the last.
    const written = await db
      .insertInto('bookings')
      .values({ ...row, id, reference: referenceOf(id) })
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .returning(['no', 'id'])
      .executeTakeFirst()
    if (written !== undefined) return written
  }
}

/** A patient's booking by its id, in any state. */
export function findOwn(db: Db, id: string, patientNo: number) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .leftJoin('visit_types as t', 't.no', 'b.type_no')
    .selectAll('b')
    .select([
      'p.verification_status',
      'p.follow_up_policy',
      'p.offers_in_person',
      'p.offers_video',
      't.mode as type_mode',
    ])
    .where('b.id', '=', id)
    .where('b.patient_no', '=', patientNo)
    .$narrowType<{ patient_no: number }>()
    .executeTakeFirst()
}

export function findByNo(db: Db, no: number) {
  return db.selectFrom('bookings').selectAll().where('no', '=', no).executeTakeFirst()
}

type PatientAndProvider = { patientNo: number; providerNo: number }

/** Whether a patient has had a visit with a provider; missed visits and those not held do not count. */
export async function hasVisited(db: Db, who: PatientAndProvider, now: Instant): Promise<boolean> {
  const visit = await db
    .selectFrom('bookings')
    .select('no')
    .where('patient_no', '=', who.patientNo)
    .where('state', '=', 'confirmed')
    .where('provider_no', '=', who.providerNo)
    .where('end_at', '<=', now)
    .where((where) => where.or([where('outcome', 'is', null), where('outcome', '=', 'completed')]))
    .limit(1)
    .executeTakeFirst()
  return visit !== undefined
}

/** Whether a booking has a payment that is running or has succeeded. */
export async function hasLivePayment(db: Db, bookingNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('payments')
    .select('no')
    .where('booking_no', '=', bookingNo)
    .where('state', 'in', LIVE_PAYMENT)
    .executeTakeFirst()
  return row !== undefined
}

/** The payer's email. */
export async function getPatientEmail(db: Db, patientNo: number): Promise<string> {
  const { email } = await db
    .selectFrom('accounts')
    .select('email')
    .where('no', '=', patientNo)
    .executeTakeFirstOrThrow()
  return email
}

/** The public id of a provider, for search updates. */
export async function getProviderId(db: Db, providerNo: number): Promise<string> {
  const { id } = await db
    .selectFrom('providers')
    .select('id')
    .where('no', '=', providerNo)
    .executeTakeFirstOrThrow()
  return id
}

/** The account number of an erased patient. */
export async function findPatientNo(db: Db, userId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('no')
    .where('id', '=', userId)
    .where('kind', '=', 'patient')
    .where('erased_at', 'is not', null)
    .executeTakeFirst()
  return row?.no
}

/** The purpose a patient last entered for a hold that was released or is not yet paid for. */
export async function findLastPurpose(db: Db, who: OfPatient): Promise<string> {
  const last = await db
    .selectFrom('bookings')
    .select('purpose')
    .where('patient_no', '=', who.patientNo)
    .where('state', 'in', UNPAID)
    .where('created_at', '>', who.since)
    .where('purpose', '<>', '')
    .orderBy('created_at', 'desc')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.purpose ?? ''
}

/** Blanks the purposes of holds released before an instant. */
export async function blankPurposesBefore(db: Db, before: Instant): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ purpose: '' })
    .where(sql<SqlBool>`state = 'released' and purpose <> ''`)
    .where('closed_at', '<', before)
    .execute()
}

/** Blanks purpose, distance and state in a patient's bookings. */
export async function blankBookingsOf(db: Db, patientNo: number): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ purpose: '', distance: null, patient_state: null })
    .where('patient_no', '=', patientNo)
    .execute()
}

/** The wallet order that is being captured for a booking; null when there is none. */
export async function findCapturingOrder(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('payments as p')
    .innerJoin('bookings as b', 'b.no', 'p.booking_no')
    .select('p.gw_session')
    .where('b.id', '=', id)
    .where('p.state', '=', 'capturing')
    .executeTakeFirst()
  return row?.gw_session ?? null
}

/** The time zone of a provider's days: that of the main place. */
export async function findMainZone(db: Db, providerNo: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('places')
    .select('time_zone')
    .where('provider_no', '=', providerNo)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row?.time_zone
}
