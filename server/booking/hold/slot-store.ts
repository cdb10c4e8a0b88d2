import { type SqlBool, sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import { type Db, lockRows } from '#db/engine.ts'
import type { SlotRow } from '#db/tables/availability.ts'

/** Longest possible visit, in milliseconds: bounds range scans of the index. */
const MAX_VISIT_MS = 12 * 3_600_000

/** A range of a provider's time; `end` is not included. */
export type Span = { providerNo: number; start: Instant; end: Instant }

/** What a hold needs to know of a provider, with the zone of the main place. */
export function findBookable(db: Db, providerId: string) {
  return db
    .selectFrom('providers as p')
    .innerJoin('places as l', (join) =>
      join.onRef('l.provider_no', '=', 'p.no').on('l.position', '=', 0),
    )
    .leftJoin('schedules as s', 's.provider_no', 'p.no')
    .select([
      'p.no',
      'p.id',
      'p.region',
      'p.verification_status',
      'p.amount_minor',
      'p.follow_amount_minor',
      'p.currency',
      'p.free_cancel_hours',
      'p.late_cancel_percent',
      'p.no_show_percent',
      'p.offers_in_person',
      'p.offers_video',
      'l.time_zone',
      's.notice_minutes',
      's.buffer_minutes',
    ])
    .where('p.id', '=', providerId)
    .executeTakeFirst()
}

/** The slots that begin at one of these instants, free or not, earliest first. */
export function listOffered(db: Db, providerNo: number, instants: readonly Instant[]) {
  return db
    .selectFrom('slots as s')
    .innerJoin('places as l', 'l.no', 's.place_no')
    .select([
      's.start_at',
      's.place_no',
      's.minutes',
      's.free',
      'l.time_zone',
      'l.name as place_name',
    ])
    .where('s.provider_no', '=', providerNo)
    .where('s.start_at', 'in', [...instants])
    .orderBy('s.start_at')
    .execute()
}

/** Consecutive slots of one place: `count` of them, the last beginning `reachMs` after the first. */
type SlotRun = Pick<SlotRow, 'minutes' | 'place_no'> & {
  providerNo: number
  start: Instant
  count: number
  reachMs: number
}

/**
 * Selects consecutive slots if all of them exist. Slots are at least their length and the buffer apart, so
 * `count` slots between the first and the last start are consecutive.
 */
function selectSlotRun(
  db: Db,
  { providerNo, start, minutes, place_no: placeNo, count, reachMs }: SlotRun,
) {
  return db
    .selectFrom('slots')
    .select(({ fn }) => [
      'provider_no',
      fn.min('start_at').as('start_at'),
      sql<Instant>`max(start_at + minutes * 60000)`.as('end_at'),
    ])
    .where('provider_no', '=', providerNo)
    .where('start_at', '>=', start)
    .where('start_at', '<=', start + reachMs)
    .where('minutes', '=', minutes)
    .where('place_no', '=', placeNo)
    .groupBy('provider_no')
    .having(({ fn }) => fn.countAll(), '=', count)
    .having(({ fn }) => fn.min('start_at'), '=', start)
}

/** Whether these consecutive slots are all free, and when the last ends; undefined when one is missing. */
export function findSlotRun(db: Db, row: SlotRun) {
  return selectSlotRun(db, row)
    .select(({ fn }) => fn.min('free').as('free'))
    .executeTakeFirst()
}

/** The claims that overlap a time range, with the bookings they belong to, earliest first. */
export function listClaimsIn(db: Db, { providerNo, start, end }: Span) {
  return db
    .selectFrom('slot_claims as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .select([
      'b.no',
      'b.id',
      'b.patient_no',
      'b.visitor',
      'b.state',
      'b.start_at',
      'b.hold_until',
      'b.type_no',
    ])
    .where('c.provider_no', '=', providerNo)
    .where('c.start_at', '<', end)
    .where('c.end_at', '>', start)
    .orderBy('c.start_at')
    .execute()
}

/**
 * Serializes writes of one provider's claims. The constraint already prevents overlaps, but on Postgres
 * concurrent overlapping inserts could deadlock. SQLite has a single writer anyway.
 */
export async function lockProviderClaims(db: Db, providerNo: number): Promise<void> {
  await lockRows(db, 'providers', [providerNo])
}

/** Marks every slot that overlaps a time range as taken. */
export async function closeSlots(db: Db, { providerNo, start, end }: Span): Promise<void> {
  await db
    .updateTable('slots')
    .set({ free: 0 })
    .where('provider_no', '=', providerNo)
    .where('free', '=', sql.lit(1))
    .where('start_at', '>', start - MAX_VISIT_MS)
    .where('start_at', '<', end)
    .where(sql<SqlBool>`start_at + minutes * 60000 > ${start}`)
    .execute()
}

/** Offers the future slots of a time range again, unless another claim covers them or their place was removed. */
export async function openSlots(db: Db, span: Span, now: Instant): Promise<void> {
  const { providerNo, start, end } = span
  await db
    .updateTable('slots')
    .set({ free: 1 })
    .where('provider_no', '=', providerNo)
    .where('free', '=', sql.lit(0))
    .where('start_at', '>', Math.max(now, start - MAX_VISIT_MS))
    .where('start_at', '<', end)
    .where(sql<SqlBool>`start_at + minutes * 60000 > ${start}`)
    .where(sql<SqlBool>`not exists (
      select 1 from slot_claims c where c.provider_no = slots.provider_no
        and c.start_at < slots.start_at + slots.minutes * 60000 and c.end_at > slots.start_at)`)
    .where(sql<SqlBool>`exists (
      select 1 from places l where l.no = slots.place_no and l.removed_at is null)`)
    .execute()
}

type Claim = SlotRun & { bookingNo: number }

/**
 * Claims the time of consecutive slots, so that the buffer after them holds; the database refuses it when
 * another claim overlaps. False when a slot is gone: the provider has changed the hours or the place.
 */
export async function insertClaim(db: Db, claim: Claim): Promise<boolean> {
  const claimed = await db
    .insertInto('slot_claims')
    .columns(['booking_no', 'provider_no', 'start_at', 'end_at'])
    .expression((eb) =>
      eb
        .selectFrom(selectSlotRun(db, claim).as('s'))
        .select([
          sql<number>`cast(${claim.bookingNo} as integer)`.as('booking_no'),
          's.provider_no',
          's.start_at',
          's.end_at',
        ]),
    )
    .returning('booking_no')
    .executeTakeFirst()
  return claimed !== undefined
}

/**
 * Moves the claim of a booking to other slots; the database refuses it when another booking's claim overlaps.
 * False when a slot is gone.
 */
export async function moveClaim(db: Db, claim: Claim): Promise<boolean> {
  const moved = await db
    .updateTable('slot_claims')
    .from(selectSlotRun(db, claim).as('s'))
    .set({ start_at: sql<Instant>`s.start_at`, end_at: sql<Instant>`s.end_at` })
    .where('slot_claims.booking_no', '=', claim.bookingNo)
    .where('slot_claims.provider_no', '=', claim.providerNo)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

export async function deleteClaim(db: Db, bookingNo: number): Promise<void> {
  await db.deleteFrom('slot_claims').where('booking_no', '=', bookingNo).execute()
}

/** Claims a released time again; the database refuses it when another claim overlaps. */
export async function insertClaimAt(db: Db, claim: Span & { bookingNo: number }): Promise<void> {
  const { bookingNo, providerNo, start, end } = claim
  await db
    .insertInto('slot_claims')
    .values({ booking_no: bookingNo, provider_no: providerNo, start_at: start, end_at: end })
    .execute()
}

type OwnOverlapQuery = {
  patientNo: number
  start: Instant
  end: Instant
  now: Instant
  /** The visit being moved, which does not conflict with itself. */
  exceptNo: number | null
}

/** A patient's other visits and holds that overlap a time range, with their providers, earliest first. */
export function listOwnIn(db: Db, { patientNo, start, end, now, exceptNo }: OwnOverlapQuery) {
  const query = db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select(['b.start_at', 'b.time_zone', 'b.region', 'p.title', 'p.first_name', 'p.last_name'])
    .where('b.patient_no', '=', patientNo)
    .where((where) =>
      where.or([
        where('b.state', '=', 'confirmed'),
        where.and([where('b.state', '=', 'held'), where('b.hold_until', '>', now)]),
      ]),
    )
    .where('b.start_at', '<', end)
    .where('b.end_at', '>', start)
    .orderBy('b.start_at')
    .limit(1)
  return (exceptNo === null ? query : query.where('b.no', '<>', exceptNo)).execute()
}
