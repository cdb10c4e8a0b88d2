import { type Insertable, sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PlaceRow } from '#db/tables/profiles.ts'

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
      'l.position',
      eb
        .selectFrom('bookings as b')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('b.provider_no', '=', providerNo)
        .where('b.state', 'in', ['held', 'confirmed'])
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

type PlaceChange = Pick<
  PlaceRow,
  'name' | 'address' | 'locality' | 'postcode' | 'latitude' | 'longitude' | 'time_zone' | 'phone'
>

export async function updatePlace(db: Db, no: number, change: PlaceChange): Promise<void> {
  await db.updateTable('places').set(change).where('no', '=', no).execute()
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
