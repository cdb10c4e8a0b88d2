import { sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

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
    .where('state', 'in', ['held', 'confirmed'])
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
