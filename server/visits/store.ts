import { type Insertable, type SqlBool, sql } from 'kysely'
import { BOOKED } from '#contract/life-cycles/visit.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { VisitJoinRow } from '#db/tables/booking.ts'

function selectBooked(db: Db) {
  return (
    db
      .selectFrom('bookings as b')
      .innerJoin('payments as y', 'y.no', 'b.paid_by')
      .innerJoin('providers as p', 'p.no', 'b.provider_no')
      .innerJoin('accounts as a', 'a.no', 'b.patient_no')
      .innerJoin('places as l', 'l.no', 'b.place_no')
      .leftJoin('visit_types as t', 't.no', 'b.type_no')
      // Where its only place was removed, a visit may move to any other.
      .leftJoin('places as k', (join) =>
        join.onRef('k.no', '=', 't.place_no').on('k.removed_at', 'is', null),
      )
      .selectAll('b')
      .select([
        'y.no as payment_no',
        'p.id as provider_id',
        'a.id as patient_id',
        'l.name as place_name',
        't.id as type_id',
        'k.no as type_place_no',
      ])
      .$narrowType<{ patient_no: number }>()
      .where('b.state', 'in', BOOKED)
  )
}

export type BookedRow = NonNullable<Awaited<ReturnType<typeof findOfPatient>>>

/** A patient's paid visit by its id. */
export function findOfPatient(db: Db, id: string, patientNo: number) {
  return selectBooked(db)
    .where('b.id', '=', id)
    .where('b.patient_no', '=', patientNo)
    .executeTakeFirst()
}

/** A provider's paid visit by its id. */
export function findOfProvider(db: Db, id: string, providerNo: number) {
  return selectBooked(db)
    .where('b.id', '=', id)
    .where('b.provider_no', '=', providerNo)
    .executeTakeFirst()
}

/** Booked visits of a provider that have not begun, earliest first, with patient and place. */
export function listUpcoming(db: Db, providerNo: number, now: Instant) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('payments as y', 'y.no', 'b.paid_by')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .select([
      'b.id',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'b.place_no',
      'b.sequence',
      'y.no as payment_no',
      'l.id as place_id',
      'a.first_name',
      'a.last_name',
    ])
    .where('b.provider_no', '=', providerNo)
    .where('b.state', '=', 'confirmed')
    .where('b.start_at', '>', now)
    .orderBy('b.start_at')
    .execute()
}

/** A paid visit by its id. No ownership check: the caller authorizes. */
export function findBooked(db: Db, id: string) {
  return selectBooked(db).where('b.id', '=', id).executeTakeFirst()
}

/** Locks a visit until the transaction ends. Lock order: after its payment. */
export async function lockBooked(db: Db, no: number): Promise<void> {
  // An update locks the row on both engines.
  await db
    .updateTable('bookings')
    .set((eb) => ({ renewed: eb.ref('renewed') }))
    .where('no', '=', no)
    .execute()
}

/** The party a visit has to belong to. */
export type Party = { patientNo: number } | { providerNo: number }

/** A booked visit with its provider's own video room, only if it is this party's. */
export function findToJoin(db: Db, id: string, party: Party) {
  const found = db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select([
      'b.no',
      'b.id',
      'b.state',
      'b.mode',
      'b.region',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'b.video_room',
      'p.video_link',
    ])
    .where('b.id', '=', id)
    .where('b.state', 'in', BOOKED)
  const ofParty =
    'patientNo' in party
      ? found.where('b.patient_no', '=', party.patientNo)
      : found.where('b.provider_no', '=', party.providerNo)
  return ofParty.executeTakeFirst()
}

export type JoinRow = NonNullable<Awaited<ReturnType<typeof findToJoin>>>

/** The room of a visit: the existing one, else `room`, which is stored. The first of two calls wins. */
export async function ensureRoom(db: Db, bookingNo: number, room: string): Promise<string> {
  const { video_room: stored } = await db
    .updateTable('bookings')
    .set((eb) => ({ video_room: eb.fn.coalesce('video_room', eb.val(room)) }))
    .where('no', '=', bookingNo)
    .returning('video_room')
    .executeTakeFirstOrThrow()
  return stored ?? room
}

/** Records a join permanently. */
export async function insertJoin(db: Db, join: Insertable<VisitJoinRow>): Promise<void> {
  await db.insertInto('visit_joins').values(join).execute()
}

/** Whether the patient or the provider cancelled, or staff on their behalf. */
function isBy(kind: 'patient' | 'provider') {
  const forThem = sql<SqlBool>`c.by_kind = 'staff' and c.reason = ${`for_${kind}`}`
  return sql<SqlBool>`(c.by_kind = ${kind} or (${forThem}))`
}

// A literal, so that the partial index is used.
const CANCELLED = sql<SqlBool>`c.what = 'cancelled'`

type FrequencyQuery = { since: Instant; least: number; limit: number }

/** Patients with at least `least` free cancellations since an instant, most frequent first. */
export function listFreeCancellers(db: Db, { since, least, limit }: FrequencyQuery) {
  return db
    .selectFrom('visit_changes as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select(({ fn }) => [
      'a.id',
      'a.email',
      'a.first_name',
      'a.last_name',
      fn.countAll<number | string>().as('count'),
      fn.max('c.at').as('last_at'),
    ])
    .where(CANCELLED)
    .where('c.at', '>', since)
    .where('c.kept_minor', '=', 0)
    .where(isBy('patient'))
    .where('a.erased_at', 'is', null)
    .groupBy(['a.id', 'a.email', 'a.first_name', 'a.last_name'])
    .having(({ fn }) => fn.countAll(), '>=', least)
    .orderBy('count', 'desc')
    .orderBy('a.id')
    .limit(limit)
    .execute()
}

/**
 * Providers with an account who cancelled since an instant: how many of their visits they cancelled, and how
 * many were cancelled in all.
 */
export function listCancellingProviders(db: Db, since: Instant) {
  const byProvider = isBy('provider')
  const own = sql<number | string>`sum(case when ${byProvider} then 1 else 0 end)`
  return db
    .selectFrom('visit_changes as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .innerJoin('accounts as a', 'a.provider_no', 'p.no')
    .select(({ fn }) => [
      'p.no',
      'p.id',
      'p.region',
      'p.title',
      'p.first_name',
      'p.last_name',
      'a.email',
      own.as('own'),
      fn.countAll<number | string>().as('cancelled'),
      sql<Instant | string>`max(case when ${byProvider} then c.at end)`.as('last_at'),
    ])
    .where(CANCELLED)
    .where('c.at', '>', since)
    .where('a.erased_at', 'is', null)
    .groupBy(['p.no', 'p.id', 'p.region', 'p.title', 'p.first_name', 'p.last_name', 'a.email'])
    .having(own, '>', 0)
    .execute()
}

/** Visits that began between two instants, counted by provider number. */
export async function countStarted(
  db: Db,
  of: { providerNos: readonly number[]; since: Instant; now: Instant },
): Promise<ReadonlyMap<number, number>> {
  if (of.providerNos.length === 0) return new Map()
  const rows = await db
    .selectFrom('bookings')
    .select(({ fn }) => ['provider_no', fn.countAll<number | string>().as('count')])
    .where('provider_no', 'in', of.providerNos)
    .where('state', '=', 'confirmed')
    .where('start_at', '>', of.since)
    .where('start_at', '<=', of.now)
    .groupBy('provider_no')
    .execute()
  return new Map(rows.map(({ provider_no: no, count }) => [no, Number(count)]))
}

type RefillWindow = {
  /** Both visits must have ended before this, when their outcomes have become final for providers. */
  endedBefore: Instant
  /** Within how many milliseconds after its end the cancelled visit's replacement has to be completed. */
  within: number
}

/**
 * Visits cancelled with a fee kept, in whose time another visit with the same provider was then completed.
 * Without visits whose fee was already refunded, and those with an open dispute about the payment, which wait
 * until staff have dealt with it.
 */
function selectRefilled(db: Db, { endedBefore, within }: RefillWindow) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('visit_changes as c', 'c.booking_no', 'b.no')
    .select(['b.no', 'b.id', 'b.paid_by', 'b.end_at', 'b.start_at', 'b.sequence', 'c.kept_minor'])
    .where('b.state', '=', 'cancelled')
    .where('b.end_at', '<=', endedBefore)
    .where('c.what', '=', 'cancelled')
    .where('c.kept_minor', '>', 0)
    .where((where) =>
      where.exists(
        where
          .selectFrom('bookings as o')
          .select('o.no')
          .whereRef('o.provider_no', '=', 'b.provider_no')
          .where('o.state', '=', 'confirmed')
          .whereRef('o.start_at', '=', 'b.start_at')
          .whereRef('o.no', '<>', 'b.no')
          .where('o.outcome', '=', 'completed')
          .where('o.end_at', '<=', endedBefore)
          // The time only became free with the cancellation: the other visit was booked or moved there later.
          .where((is) => is(is.fn.coalesce('o.changed_at', 'o.confirmed_at'), '>=', is.ref('c.at')))
          .where((is) => is('o.outcome_at', '<=', is(is.ref('b.end_at'), '+', within))),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('visit_changes as d')
            .select('d.no')
            .whereRef('d.booking_no', '=', 'b.no')
            .where('d.what', '=', 'refilled'),
        ),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('payment_differences as e')
            .select('e.object')
            .whereRef('e.payment_no', '=', 'b.paid_by')
            .where('e.kind', '=', 'dispute')
            .where('e.dealt_at', 'is', null),
        ),
      ),
    )
}

export type Refilled = NonNullable<Awaited<ReturnType<typeof findRefilled>>>

/** A refilled visit by its number, if its fee is still to be refunded. */
export function findRefilled(db: Db, no: number, wanted: RefillWindow) {
  return selectRefilled(db, wanted).where('b.no', '=', no).executeTakeFirst()
}

type Page = RefillWindow & {
  endedAfter: Instant
  /** The last row of the previous page. */
  after: Pick<Refilled, 'no' | 'end_at'> | null
  limit: number
}

/** A page of refilled visits, in the order they ended. */
export function listRefilled(
  db: Db,
  { endedAfter, after, limit, ...wanted }: Page,
): Promise<Refilled[]> {
  let query = selectRefilled(db, wanted)
    .where('b.end_at', '>=', endedAfter)
    .orderBy('b.end_at')
    .orderBy('b.no')
    .limit(limit)
  if (after !== null) {
    query = query.where((where) =>
      where.or([
        where('b.end_at', '>', after.end_at),
        where.and([where('b.end_at', '=', after.end_at), where('b.no', '>', after.no)]),
      ]),
    )
  }
  return query.execute()
}
