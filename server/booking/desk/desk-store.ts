import { referenceOf } from '#contract/base/ids.ts'
import { DAY_MS } from '#contract/base/time.ts'
import { visitLife } from '#contract/life-cycles/visit.ts'
import type { Instant, WholeRow } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { DeskVisitRow } from '#db/tables/booking.ts'
import type { Span } from '#server/booking/hold/slot-store.ts'
import type { FeedSpan } from '#server/booking/visits/visit-store.ts'

/** Where a provider sees patients, the main place first. */
export function listDeskPlaces(db: Db, providerNo: number) {
  return db
    .selectFrom('places')
    .select(['no', 'id', 'time_zone'])
    .where('provider_no', '=', providerNo)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute()
}

/** Whether the account of a provider is erased. */
export async function isProviderErased(db: Db, providerNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('no')
    .where('provider_no', '=', providerNo)
    .where('erased_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

type NewDeskVisit = Omit<WholeRow<DeskVisitRow>, 'id' | 'reference'>

/** Inserts a desk visit under an id of `newId` with a unique reference. */
export async function insertDesk(
  db: Db,
  row: NewDeskVisit,
  newId: () => string,
): Promise<{ no: number; id: string }> {
  for (;;) {
    const id = newId()
    // Sequential: each try depends on the last.
    const written = await db
      .insertInto('desk_visits')
      .values({ ...row, id, reference: referenceOf(id) })
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .returning(['no', 'id'])
      .executeTakeFirst()
    if (written !== undefined) return written
  }
}

/** Desk visits with their place and provider, in any state. */
function selectDesk(db: Db) {
  return db
    .selectFrom('desk_visits as d')
    .innerJoin('providers as p', 'p.no', 'd.provider_no')
    .innerJoin('places as l', 'l.no', 'd.place_no')
    .selectAll('d')
    .select([
      'p.id as provider_id',
      'p.region',
      'p.title',
      'p.first_name',
      'p.last_name',
      'l.id as place_id',
      'l.name as place_name',
      'l.address',
      'l.locality',
      'l.postcode',
      'l.latitude',
      'l.longitude',
      'l.phone as place_phone',
    ])
}

export type DeskRow = NonNullable<Awaited<ReturnType<typeof findDesk>>>

/** A desk visit by its id, only if it is this provider's. */
export function findDesk(db: Db, { id, providerNo }: { id: string; providerNo: number }) {
  return selectDesk(db)
    .where('d.id', '=', id)
    .where('d.provider_no', '=', providerNo)
    .executeTakeFirst()
}

/** A desk visit by its id, without an ownership check: for the emails about it. */
export function findAnyDesk(db: Db, id: string) {
  return selectDesk(db).where('d.id', '=', id).executeTakeFirst()
}

/** All desk visits of a provider, latest first. */
export function listDeskOf(db: Db, providerNo: number, limit: number) {
  return selectDesk(db)
    .where('d.provider_no', '=', providerNo)
    .orderBy('d.wall_at', 'desc')
    .orderBy('d.no', 'desc')
    .limit(limit)
    .execute()
}

type Days = { providerNo: number; from: Instant; to: Instant; limit: number }

/** Confirmed desk visits of a provider in chronological order. */
export function listDeskDays(db: Db, { providerNo, from, to, limit }: Days) {
  return (
    selectDesk(db)
      .where('d.provider_no', '=', providerNo)
      .where('d.state', '=', 'confirmed')
      // Local times are within a day of UTC; the index has only those.
      .where('d.wall_at', '>=', from - DAY_MS)
      .where('d.wall_at', '<', to + DAY_MS)
      .where('d.start_at', '>=', from)
      .where('d.start_at', '<', to)
      .orderBy('d.start_at')
      .orderBy('d.no')
      .limit(limit)
      .execute()
  )
}

/** Desk visits of a provider for a calendar feed, latest first; cancelled ones only for a while. */
export function listDeskFeed(db: Db, providerNo: number, span: FeedSpan) {
  return selectDesk(db)
    .where('d.provider_no', '=', providerNo)
    .where('d.end_at', '>', span.endAfter)
    .where((where) =>
      where.or([
        where('d.state', '=', 'confirmed'),
        where('d.closed_at', '>', span.cancelledAfter),
      ]),
    )
    .orderBy('d.start_at', 'desc')
    .orderBy('d.no', 'desc')
    .limit(span.limit)
    .execute()
}

/** Desk visits of a provider that are booked and have not begun. */
export function listUpcomingDesk(db: Db, providerNo: number, now: Instant) {
  return selectDesk(db)
    .where('d.provider_no', '=', providerNo)
    .where('d.state', '=', 'confirmed')
    .where('d.start_at', '>', now)
    .orderBy('d.start_at')
    .execute()
}

/** Locks a desk visit until the transaction ends. */
export async function lockDesk(db: Db, no: number): Promise<void> {
  // An update locks the row on both engines.
  await db
    .updateTable('desk_visits')
    .set((eb) => ({ kind: eb.ref('kind') }))
    .where('no', '=', no)
    .execute()
}

/** Locks all desk visits of a provider until the transaction ends. */
export async function lockDeskOf(db: Db, providerNo: number): Promise<void> {
  await db
    .updateTable('desk_visits')
    .set((eb) => ({ kind: eb.ref('kind') }))
    .where('provider_no', '=', providerNo)
    .execute()
}

type Details = Partial<Pick<DeskVisitRow, 'name' | 'phone' | 'note'>>

/** Writes encrypted details. The caller has locked the visit. */
export async function setDetails(db: Db, no: number, details: Details): Promise<void> {
  await db.updateTable('desk_visits').set(details).where('no', '=', no).execute()
}

type NewTime = Pick<
  DeskVisitRow,
  | 'place_no'
  | 'start_at'
  | 'end_at'
  | 'time_zone'
  | 'wall_at'
  | 'moved_from'
  | 'moved_from_zone'
  | 'changed_at'
>

/** Sets a new time, increments the calendar sequence and clears the arrival mark. */
export async function setDeskMoved(db: Db, no: number, to: NewTime): Promise<void> {
  await db
    .updateTable('desk_visits')
    .set((eb) => ({ ...to, arrived_at: null, sequence: eb('sequence', '+', 1) }))
    .where('no', '=', no)
    .execute()
}

/** Cancels a desk visit and increments the calendar sequence. The caller has locked it. */
export async function setDeskCancelled(db: Db, no: number, now: Instant): Promise<void> {
  await db
    .updateTable('desk_visits')
    .set((eb) => ({
      state: visitLife.to('cancel'),
      closed_at: now,
      changed_at: now,
      arrived_at: null,
      sequence: eb('sequence', '+', 1),
    }))
    .where('no', '=', no)
    .where('state', 'in', visitLife.from('cancel'))
    .execute()
}

type MarkedColumns = Pick<DeskVisitRow, 'outcome' | 'outcome_at' | 'arrived_at'>

/** Writes the outcome of a desk visit. The caller has locked it. */
export async function setDeskMarked(db: Db, no: number, marked: MarkedColumns): Promise<void> {
  await db.updateTable('desk_visits').set(marked).where('no', '=', no).execute()
}

type Unmarked = { now: Instant; after: number; limit: number }

/** Completes unmarked desk visits that ended at least `after` milliseconds ago; returns how many. */
export async function completeDesk(db: Db, { now, after, limit }: Unmarked): Promise<number> {
  const due = db
    .selectFrom('desk_visits')
    .select('no')
    .where('state', '=', 'confirmed')
    .where('outcome', 'is', null)
    .where('end_at', '<=', now - after)
    .orderBy('end_at')
    .limit(limit)
  const result = await db
    .updateTable('desk_visits')
    .set((eb) => ({ outcome: 'completed', outcome_at: eb('end_at', '+', after) }))
    .where('no', 'in', due)
    .where('state', '=', 'confirmed')
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Deletes the patients' details and the notes of a provider's desk visits. */
export async function blankDeskOf(db: Db, providerNo: number): Promise<void> {
  await db
    .updateTable('desk_visits')
    .set({ name: '', phone: '', email: '', note: '' })
    .where('provider_no', '=', providerNo)
    .execute()
}

type Claim = Span & { deskNo: number }

/**
 * Claims a time for a desk visit, offered or not, in the same table as every booking; the database
 * refuses it when another claim of the provider overlaps.
 */
export async function insertDeskClaim(db: Db, claim: Claim): Promise<void> {
  const { deskNo, providerNo, start, end } = claim
  await db
    .insertInto('slot_claims')
    .values({ desk_no: deskNo, provider_no: providerNo, start_at: start, end_at: end })
    .execute()
}

/** Moves the claim of a desk visit; it may overlap its own old time. */
export async function moveDeskClaim(db: Db, { deskNo, start, end }: Claim): Promise<void> {
  await db
    .updateTable('slot_claims')
    .set({ start_at: start, end_at: end })
    .where('desk_no', '=', deskNo)
    .execute()
}

export async function deleteDeskClaim(db: Db, deskNo: number): Promise<void> {
  await db.deleteFrom('slot_claims').where('desk_no', '=', deskNo).execute()
}
