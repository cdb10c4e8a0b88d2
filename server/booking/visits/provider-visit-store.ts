import type { Db } from '#db/engine.ts'

/** A booked visit of one provider, with its patient, place and payment. */
export function findProviderVisit(db: Db, { id, providerNo }: { id: string; providerNo: number }) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .leftJoin('payments as y', 'y.no', 'b.paid_by')
    .selectAll('b')
    .select([
      'l.name as place_name',
      'l.address',
      'l.locality',
      'l.postcode',
      'a.email as patient_email',
      'a.phone_number as patient_phone',
      'a.first_name as patient_first_name',
      'a.last_name as patient_last_name',
      'a.date_of_birth',
      'a.erased_at as patient_erased_at',
      'y.amount_minor as paid_minor',
      'y.taken_minor',
      (eb) =>
        eb
          .selectFrom('refunds as r')
          .select(({ fn }) => fn.sum<number | string | null>('r.amount_minor').as('sum'))
          .whereRef('r.payment_no', '=', 'b.paid_by')
          .where('r.state', '<>', 'failed')
          .as('refunded_minor'),
    ])
    .where('b.id', '=', id)
    .where('b.provider_no', '=', providerNo)
    .where('b.state', 'in', ['confirmed', 'cancelled'])
    .$narrowType<{ patient_no: number }>()
    .executeTakeFirst()
}

export type ProviderVisitRow = NonNullable<Awaited<ReturnType<typeof findProviderVisit>>>

type Pair = { providerNo: number; patientNo: number; exceptNo: number }

function othersOf(db: Db, { providerNo, patientNo, exceptNo }: Pair) {
  return db
    .selectFrom('bookings')
    .where('patient_no', '=', patientNo)
    .where('provider_no', '=', providerNo)
    .where('state', 'in', ['confirmed', 'cancelled'])
    .where('no', '<>', exceptNo)
}

/** Other booked visits of the same two people, latest first. */
export function listOthers(db: Db, pair: Pair, limit: number) {
  return othersOf(db, pair)
    .select(['id', 'start_at', 'time_zone', 'state', 'visit_type', 'type_name'])
    .orderBy('start_at', 'desc')
    .orderBy('no', 'desc')
    .limit(limit)
    .execute()
}

/** How many other visits the same two people have booked. */
export async function countOthers(db: Db, pair: Pair): Promise<number> {
  const { count } = await othersOf(db, pair)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
