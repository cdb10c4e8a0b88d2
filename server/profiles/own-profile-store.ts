import { type Insertable, sql, type Updateable } from 'kysely'
import { verificationLife } from '#contract/life-cycles/verification.ts'
import { OCCUPYING } from '#contract/life-cycles/visit.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PlaceRow, ProviderRow } from '#db/tables/profiles.ts'

/** The full row of a provider by public id, listed or not. */
export function findOwnProvider(db: Db, id: string) {
  return db.selectFrom('providers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The same row, locked until the transaction ends, so that changes run one after the other. */
export async function lockOwnProvider(db: Db, id: string) {
  // An update locks the row on both engines.
  await db
    .updateTable('providers')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .execute()
  return findOwnProvider(db, id)
}

export async function updateOwnProvider(
  db: Db,
  no: number,
  change: Updateable<ProviderRow>,
): Promise<void> {
  await db.updateTable('providers').set(change).where('no', '=', no).execute()
}

/** Whether a provider has set weekly hours or extra dates, or has upcoming slots without them. */
export async function hasHours(db: Db, providerNo: number, now: Instant): Promise<boolean> {
  const [weekly, extra, slot] = await Promise.all([
    db
      .selectFrom('weekly_hours')
      .select('no')
      .where('provider_no', '=', providerNo)
      .limit(1)
      .execute(),
    db
      .selectFrom('extra_dates')
      .select('id')
      .where('provider_no', '=', providerNo)
      .limit(1)
      .execute(),
    db
      .selectFrom('slots')
      .select('start_at')
      .where('provider_no', '=', providerNo)
      .where('start_at', '>=', now)
      .limit(1)
      .execute(),
  ])
  return weekly.length + extra.length + slot.length > 0
}

/**
 * Resets the register check of a changed claim: an old match must not put it first in the queue, and a
 * Verified provider waits for staff again.
 */
export async function resetRegistrationStatus(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<void> {
  const ofProvider = db.updateTable('provider_standings').where('provider_no', '=', providerNo)
  await ofProvider
    .set({ is_match: 0, due_at: null, doubt_since: null, asked_again_at: null })
    .execute()
  await ofProvider
    .set({ state: verificationLife.to('change'), since: now, asked_at: now, reason: null })
    .where('state', 'in', verificationLife.from('change'))
    .execute()
}

/**
 * Places of a provider, the main one first, with the number of visits booked or entered there from `now` on.
 */
export async function listOwnPlaces(db: Db, providerNo: number, now: Instant) {
  const rows = await db
    .selectFrom('places as l')
    .select((eb) => [
      'l.no',
      'l.id',
      'l.name',
      'l.address',
      'l.locality',
      'l.postcode',
      'l.phone',
      'l.time_zone',
      'l.latitude',
      'l.longitude',
      'l.position',
      eb
        .selectFrom('bookings as b')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('b.provider_no', '=', providerNo)
        .where('b.state', 'in', OCCUPYING)
        .where('b.start_at', '>=', now)
        .whereRef('b.place_no', '=', 'l.no')
        .as('coming_visits'),
      eb
        .selectFrom('desk_visits as d')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('d.provider_no', '=', providerNo)
        .where('d.state', '=', 'confirmed')
        .where('d.start_at', '>=', now)
        .whereRef('d.place_no', '=', 'l.no')
        .as('coming_desk_visits'),
    ])
    .where('l.provider_no', '=', providerNo)
    .where('l.removed_at', 'is', null)
    .orderBy('l.position')
    .execute()
  return rows.map(({ coming_visits: booked, coming_desk_visits: desk, ...row }) => ({
    ...row,
    coming_visits: (booked ?? 0) + (desk ?? 0),
  }))
}

export async function insertPlace(db: Db, row: Insertable<PlaceRow>): Promise<void> {
  await db.insertInto('places').values(row).execute()
}

export type PlaceColumns = Pick<
  PlaceRow,
  'name' | 'address' | 'locality' | 'postcode' | 'latitude' | 'longitude' | 'time_zone' | 'phone'
>

export async function updatePlace(db: Db, no: number, change: PlaceColumns): Promise<void> {
  await db.updateTable('places').set(change).where('no', '=', no).execute()
}

export async function updatePlaceZone(db: Db, no: number, timeZone: string): Promise<void> {
  await db.updateTable('places').set({ time_zone: timeZone }).where('no', '=', no).execute()
}

/**
 * Records another zone with the visits booked, held or entered at a place that have not ended. Their instants stay.
 */
export async function rezoneVisits(
  db: Db,
  { placeNo, timeZone }: { placeNo: number; timeZone: string },
  now: Instant,
): Promise<void> {
  const there = (at: Instant) => ({ time_zone: timeZone, wall_at: wallClock(at, timeZone) })
  const booked = await db
    .selectFrom('bookings')
    .select(['no', 'start_at'])
    .where('place_no', '=', placeNo)
    .where('state', 'in', OCCUPYING)
    .where('end_at', '>', now)
    .execute()
  for (const { no, start_at: start } of booked) {
    await db.updateTable('bookings').set(there(start)).where('no', '=', no).execute()
  }
  const entered = await db
    .selectFrom('desk_visits')
    .select(['no', 'start_at'])
    .where('place_no', '=', placeNo)
    .where('state', '=', 'confirmed')
    .where('end_at', '>', now)
    .execute()
  for (const { no, start_at: start } of entered) {
    await db.updateTable('desk_visits').set(there(start)).where('no', '=', no).execute()
  }
}

/** Reorders a provider's places. Their positions are unique, so they are moved out of the way first. */
export async function orderPlaces(
  db: Db,
  providerNo: number,
  placeNos: readonly number[],
): Promise<void> {
  await db
    .updateTable('places')
    .set({ position: sql`-no` })
    .where('provider_no', '=', providerNo)
    .execute()
  for (const [position, no] of placeNos.entries()) {
    await db.updateTable('places').set({ position }).where('no', '=', no).execute()
  }
}

export async function setPlaceRemoved(db: Db, no: number, now: Instant): Promise<void> {
  await db.updateTable('places').set({ removed_at: now }).where('no', '=', no).execute()
}

/** The states a provider has named for practising by video. */
export function findLicensedStates(db: Db, providerNo: number) {
  return db
    .selectFrom('providers')
    .select(['region', 'licensed_states'])
    .where('no', '=', providerNo)
    .executeTakeFirst()
}

/** The states in which a provider has a place, sorted by code. */
export async function listPlaceStates(db: Db, providerNo: number): Promise<string[]> {
  const rows = await db
    .selectFrom('places as l')
    .innerJoin('geo_us_zips as z', (join) => join.on('z.zip', '=', sql`substr(l.postcode, 1, 5)`))
    .select('z.state')
    .distinct()
    .where('l.provider_no', '=', providerNo)
    .where('l.removed_at', 'is', null)
    .orderBy('z.state')
    .execute()
  return rows.map(({ state }) => state)
}

/** Number of a provider's video visits that are held or booked and have not ended. */
export async function countUpcomingByVideo(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<number> {
  const { count } = await db
    .selectFrom('bookings')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('provider_no', '=', providerNo)
    .where('state', 'in', OCCUPYING)
    .where('mode', '=', 'video')
    .where('end_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Withdraws the video offer of providers without a link of their own, and returns their numbers. */
export async function withdrawWithoutLink(db: Db, now: Instant): Promise<number[]> {
  const rows = await db
    .updateTable('providers')
    .set({ offers_video: 0, updated_at: now })
    .where('offers_video', '=', 1)
    .where('video_link', 'is', null)
    .returning('no')
    .execute()
  return rows.map(({ no }) => no)
}
