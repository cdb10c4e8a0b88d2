import { sql } from 'kysely'
import { BOOKED } from '#contract/life-cycles/visit.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

/** How many places a provider has. */
export async function countPlaces(db: Db, providerNo: number): Promise<number> {
  const { count } = await db
    .selectFrom('places')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('provider_no', '=', providerNo)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type DayQuery = { providerNo: number; from: Instant; to: Instant; limit: number }

/** Confirmed visits of a provider in chronological order. */
export function listDay(db: Db, { providerNo, from, to, limit }: DayQuery) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .leftJoin('visit_types as t', 't.no', 'b.type_no')
    .select([
      'b.id',
      'b.reference',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'b.visit_type',
      'b.type_name',
      't.id as type_id',
      'b.mode',
      'b.follow_up_basis',
      'b.state',
      'b.outcome',
      'b.outcome_at',
      'b.arrived_at',
      'l.id as place_id',
      'l.name as place_name',
      'a.first_name',
      'a.last_name',
      'a.phone_number',
      'a.erased_at',
      sql<number>`case when b.purpose <> '' then 1 else 0 end`.as('has_purpose'),
    ])
    .where('b.provider_no', '=', providerNo)
    .where('b.state', '=', 'confirmed')
    .where('b.start_at', '>=', from)
    .where('b.start_at', '<', to)
    .orderBy('b.start_at')
    .orderBy('b.no')
    .limit(limit)
    .execute()
}

export type DayRow = Awaited<ReturnType<typeof listDay>>[number]

/** The purpose of a booked visit of a provider. */
export async function findPurpose(
  db: Db,
  { id, providerNo }: { id: string; providerNo: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('bookings')
    .select('purpose')
    .where('id', '=', id)
    .where('provider_no', '=', providerNo)
    .where('state', 'in', BOOKED)
    .executeTakeFirst()
  return row?.purpose
}

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
    .where('b.state', 'in', BOOKED)
    .$narrowType<{ patient_no: number }>()
    .executeTakeFirst()
}

export type ProviderVisitRow = NonNullable<Awaited<ReturnType<typeof findProviderVisit>>>

type VisitParties = { providerNo: number; patientNo: number; exceptNo: number }

function selectOthers(db: Db, { providerNo, patientNo, exceptNo }: VisitParties) {
  return db
    .selectFrom('bookings')
    .where('patient_no', '=', patientNo)
    .where('provider_no', '=', providerNo)
    .where('state', 'in', BOOKED)
    .where('no', '<>', exceptNo)
}

/** Other booked visits of the same two people, latest first. */
export function listOthers(db: Db, pair: VisitParties, limit: number) {
  return selectOthers(db, pair)
    .select(['id', 'start_at', 'time_zone', 'state', 'visit_type', 'type_name'])
    .orderBy('start_at', 'desc')
    .orderBy('no', 'desc')
    .limit(limit)
    .execute()
}

/** How many other visits the same two people have booked. */
export async function countOthers(db: Db, pair: VisitParties): Promise<number> {
  const { count } = await selectOthers(db, pair)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Between = {
  providerNo: number
  from: Instant
  until: Instant
  /** The last visit of the previous batch. */
  after: { start_at: Instant; no: number } | null
  limit: number
}

/** A provider's booked and cancelled visits, earliest first, including those of erased patients. */
export function listVisitsBetween(db: Db, { providerNo, from, until, after, limit }: Between) {
  let found = db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .selectAll('b')
    .select([
      'l.name as place_name',
      'a.first_name',
      'a.last_name',
      'a.erased_at as patient_erased_at',
    ])
    .where('b.provider_no', '=', providerNo)
    .where('b.confirmed_at', 'is not', null)
    .where('b.state', 'in', BOOKED)
    .where('b.start_at', '>=', from)
    .where('b.start_at', '<', until)
  if (after !== null) {
    found = found.where((eb) =>
      eb.or([
        eb('b.start_at', '>', after.start_at),
        eb.and([eb('b.start_at', '=', after.start_at), eb('b.no', '>', after.no)]),
      ]),
    )
  }
  return found.orderBy('b.start_at').orderBy('b.no').limit(limit).execute()
}

export type ExportedVisit = Awaited<ReturnType<typeof listVisitsBetween>>[number]
