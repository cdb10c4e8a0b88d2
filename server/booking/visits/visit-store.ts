import { BOOKED } from '#contract/life-cycles/visit.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Cursor } from '#server/booking/rules.ts'

/** Bookings with their provider and place, including those of visitors. */
function selectFacts(db: Db) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .leftJoin('visit_types as t', 't.no', 'b.type_no')
    .selectAll('b')
    .select([
      'p.id as provider_id',
      'p.title',
      'p.first_name',
      'p.last_name',
      'p.email as provider_email',
      'p.specialty_no',
      'p.photo',
      'p.follow_up_policy',
      'p.offers_in_person',
      'p.offers_video',
      't.id as type_id',
      't.mode as type_mode',
      'l.name as place_name',
      'l.address',
      'l.locality',
      'l.postcode',
      'l.latitude',
      'l.longitude',
      'l.phone as place_phone',
    ])
}

export type FactsRow = NonNullable<Awaited<ReturnType<typeof findVisitorHold>>>

/** A visitor's active hold, by the keyed hash of their cookie. */
export function findVisitorHold(db: Db, visitor: string, now: Instant) {
  return selectFacts(db)
    .where('b.visitor', '=', visitor)
    .where('b.state', '=', 'held')
    .where('b.hold_until', '>', now)
    .executeTakeFirst()
}

/** Patients' bookings with everything that pages and emails show. */
function selectVisits(db: Db) {
  return selectFacts(db)
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .leftJoin('payments as y', 'y.no', 'b.paid_by')
    .leftJoin('reminder_settings as s', 's.account_no', 'b.patient_no')
    .leftJoin('outcome_claims as m', 'm.booking_no', 'b.no')
    .leftJoin('visit_changes as c', (join) =>
      join.onRef('c.booking_no', '=', 'b.no').on('c.what', '=', 'cancelled'),
    )
    .leftJoin('visit_changes as w', (join) =>
      join.onRef('w.booking_no', '=', 'b.no').on('w.what', '=', 'refilled'),
    )
    .$narrowType<{ patient_no: number }>()
    .select([
      'a.id as patient_id',
      'a.email as patient_email',
      'a.first_name as patient_first_name',
      'a.last_name as patient_last_name',
      'a.erased_at as patient_erased_at',
      'a.suspended_at as patient_suspended_at',
      'y.amount_minor as paid_minor',
      'y.taken_minor',
      's.discreet as patient_discreet',
      'm.state as claim_state',
      'y.id as payment_id',
      'c.kept_minor',
      'w.refund_minor as refilled_minor',
      // Refunded or being refunded, for any reason.
      (where) =>
        where
          .selectFrom('refunds as r')
          .select(({ fn }) => fn.sum<number | string | null>('r.amount_minor').as('minor'))
          .whereRef('r.payment_no', '=', 'b.paid_by')
          .where('r.state', '<>', 'failed')
          .as('returned_minor'),
    ])
}

export type VisitRow = NonNullable<Awaited<ReturnType<typeof findVisit>>>

/** A patient's booking by its id, in any state. */
export function findOwnVisit(db: Db, id: string, patientNo: number) {
  return selectVisits(db)
    .where('b.id', '=', id)
    .where('b.patient_no', '=', patientNo)
    .executeTakeFirst()
}

/** A booking by its id. No ownership check: the caller authorizes. */
export function findVisit(db: Db, id: string) {
  return selectVisits(db).where('b.id', '=', id).executeTakeFirst()
}

/** A patient's active holds, the first to expire first. */
export function listActiveHolds(db: Db, patientNo: number, now: Instant) {
  return selectVisits(db)
    .where('b.patient_no', '=', patientNo)
    .where('b.state', '=', 'held')
    .where('b.hold_until', '>', now)
    .orderBy('b.hold_until')
    .execute()
}

type VisitsQuery = {
  patientNo: number
  when: 'coming' | 'past'
  now: Instant
  after: Cursor | null
  limit: number
}

function ofPatient(db: Db, { patientNo, when, now }: VisitsQuery) {
  return selectVisits(db)
    .where('b.patient_no', '=', patientNo)
    .where('b.state', 'in', BOOKED)
    .where('b.end_at', when === 'coming' ? '>' : '<=', now)
}

/** A page of a patient's visits: upcoming ones soonest first, past ones latest first. */
export function listVisitsOf(db: Db, page: VisitsQuery) {
  const { after } = page
  const isUpcoming = page.when === 'coming'
  const beyond = isUpcoming ? '>' : '<'
  const order = isUpcoming ? 'asc' : 'desc'
  let query = ofPatient(db, page)
    .orderBy('b.start_at', order)
    .orderBy('b.no', order)
    .limit(page.limit)
  if (after !== null) {
    query = query.where((where) =>
      where.or([
        where('b.start_at', beyond, after.startAt),
        where.and([where('b.start_at', '=', after.startAt), where('b.no', beyond, after.no)]),
      ]),
    )
  }
  return query.execute()
}

/** How many past or upcoming visits a patient has. */
export async function countVisitsOf(
  db: Db,
  { patientNo, when, now }: Pick<VisitsQuery, 'patientNo' | 'when' | 'now'>,
): Promise<number> {
  const { count } = await db
    .selectFrom('bookings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('patient_no', '=', patientNo)
    .where('state', 'in', BOOKED)
    .where('end_at', when === 'coming' ? '>' : '<=', now)
    .executeTakeFirstOrThrow()
  return count
}

/** A patient's visits for a calendar feed, latest first. */
export function listForPatient(db: Db, patientNo: number, span: FeedSpan) {
  return selectVisits(db)
    .where('b.patient_no', '=', patientNo)
    .where('b.end_at', '>', span.endAfter)
    .where((where) =>
      where.or([
        where('b.state', '=', 'confirmed'),
        where.and([
          where('b.state', '=', 'cancelled'),
          where('b.closed_at', '>', span.cancelledAfter),
        ]),
      ]),
    )
    .orderBy('b.start_at', 'desc')
    .orderBy('b.no', 'desc')
    .limit(span.limit)
    .execute()
}

export type FeedSpan = {
  /** Visits that end after this instant. */
  endAfter: Instant
  /** Cancelled visits only if they were cancelled after this instant. */
  cancelledAfter: Instant
  limit: number
}

/** Visits of a provider for a calendar feed, latest first. */
export function listForProvider(db: Db, providerNo: number, span: FeedSpan) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .selectAll('b')
    .select([
      'l.name as place_name',
      'l.address',
      'l.locality',
      'l.postcode',
      'a.first_name as patient_first_name',
      'a.erased_at as patient_erased_at',
    ])
    .where('b.provider_no', '=', providerNo)
    .where('b.end_at', '>', span.endAfter)
    .where((where) =>
      where.or([
        where('b.state', '=', 'confirmed'),
        where.and([
          where('b.state', '=', 'cancelled'),
          where('b.closed_at', '>', span.cancelledAfter),
        ]),
      ]),
    )
    .orderBy('b.start_at', 'desc')
    .orderBy('b.no', 'desc')
    .limit(span.limit)
    .execute()
}
