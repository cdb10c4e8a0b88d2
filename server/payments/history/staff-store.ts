import type { Db } from '#db/engine.ts'
import type { Payment } from '#server/payments/store.ts'

/** A visit in any state with its patient and provider; excludes the reason for the visit. */
export function findStaffVisit(db: Db, id: string) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select([
      'b.no',
      'b.id',
      'b.reference',
      'b.region',
      'b.state',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'b.visit_type',
      'b.type_name',
      'b.mode',
      'b.patient_state',
      'b.created_at',
      'b.confirmed_at',
      'b.closed_at',
      'a.id as patient_id',
      'a.first_name as user_first_name',
      'a.last_name as user_last_name',
      'a.erased_at as user_erased_at',
      'p.title',
      'p.first_name',
      'p.last_name',
    ])
    .where('b.id', '=', id)
    .executeTakeFirst()
}

export type StaffVisit = NonNullable<Awaited<ReturnType<typeof findStaffVisit>>>

/** All payments of a booking, oldest first. */
export function listPaymentsOf(db: Db, bookingNo: number): Promise<Payment[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('booking_no', '=', bookingNo)
    .orderBy('no')
    .execute()
}

/** Events the gateways sent about some of their objects. */
export async function listEventsOf(db: Db, objects: readonly string[]) {
  if (objects.length === 0) return []
  return db
    .selectFrom('gateway_events')
    .select(['type', 'object', 'id', 'received_at'])
    .where('object', 'in', objects)
    .orderBy('received_at')
    .execute()
}

/** Changes of a visit's time, and proposals that were declined: by whom, from when to when. */
export function listChangesOf(db: Db, bookingNo: number) {
  return db
    .selectFrom('visit_changes')
    .select([
      'at',
      'what',
      'by_kind',
      'by_id',
      'from_at',
      'to_at',
      'from_zone',
      'to_zone',
      'reason',
      'note',
    ])
    .where('booking_no', '=', bookingNo)
    .where('what', 'in', ['moved', 'proposed', 'kept'])
    .orderBy('no')
    .execute()
}

/** Emails about a booking, found by its reference; none once its patient erased their account. */
export function listEmailsAbout(db: Db, { id, reference, patient_id: userId }: StaffVisit) {
  return (
    db
      .selectFrom('mails')
      .select(['subject', 'created_at'])
      .where('user_id', '=', userId)
      // Older emails contain the id instead.
      .where((where) =>
        where.or([
          where('text_body', 'like', `%${reference}%`),
          where('text_body', 'like', `%${id}%`),
        ]),
      )
      .orderBy('created_at')
      .execute()
  )
}

/** Staff email addresses by account id. */
export async function listStaffNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('id', 'in', ids)
    .where('kind', '=', 'staff')
    .execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** The number of a payment by its public id. */
export async function findPaymentNo(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('payments').select('no').where('id', '=', id).executeTakeFirst()
  return row?.no
}

/** States of a payment whose money was received. */
const RECEIVED_STATES = ['paid', 'refund_due', 'refunded'] as const

/**
 * A payment whose money was received, with its visit and payer. `patientNo` limits it to that payer; null for
 * any.
 */
export function findReceipt(db: Db, of: { id: string; patientNo: number | null }) {
  const query = db
    .selectFrom('payments as y')
    .innerJoin('bookings as b', 'b.no', 'y.booking_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .innerJoin('accounts as a', 'a.no', 'y.patient_no')
    .selectAll('y')
    .select([
      'b.reference',
      'b.region',
      'b.state as visit_state',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'b.mode',
      'b.type_name',
      'b.paid_by',
      'b.confirmed_at',
      'p.title',
      'p.first_name',
      'p.last_name',
      'p.specialty_no',
      'l.name as place_name',
      'l.address',
      'l.locality',
      'l.postcode',
      'l.latitude',
      'l.longitude',
      'a.first_name as patient_first_name',
      'a.last_name as patient_last_name',
      'a.erased_at as patient_erased_at',
    ])
    .where('y.id', '=', of.id)
    .where('y.state', 'in', RECEIVED_STATES)
  return (
    of.patientNo === null ? query : query.where('y.patient_no', '=', of.patientNo)
  ).executeTakeFirst()
}

export type ReceiptRow = NonNullable<Awaited<ReturnType<typeof findReceipt>>>
