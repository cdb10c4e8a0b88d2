import type { Db } from '#db/engine.ts'

/** States of a payment whose money has come in. */
const CAME_IN = ['paid', 'refund_due', 'refunded'] as const

/**
 * A payment that came in, with the visit it was made for and who paid it. `patientNo` names the only
 * payer whose it may be; null for anybody's.
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
    .where('y.state', 'in', CAME_IN)
  return (
    of.patientNo === null ? query : query.where('y.patient_no', '=', of.patientNo)
  ).executeTakeFirst()
}

export type ReceiptRow = NonNullable<Awaited<ReturnType<typeof findReceipt>>>
