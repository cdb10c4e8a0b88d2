import { sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import { fits } from '#db/consecutive-slots.ts'
import type { Db } from '#db/engine.ts'

/** The number of a provider by id, listed or not. */
export async function findProviderNo(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('providers').select('no').where('id', '=', id).executeTakeFirst()
  return row?.no
}

export async function countFavourites(db: Db, accountNo: number): Promise<number> {
  const { count } = await db
    .selectFrom('favourites')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_no', '=', accountNo)
    .executeTakeFirstOrThrow()
  return count
}

type Pair = { accountNo: number; providerNo: number }

export async function hasFavourite(db: Db, { accountNo, providerNo }: Pair): Promise<boolean> {
  const row = await db
    .selectFrom('favourites')
    .select('created_at')
    .where('account_no', '=', accountNo)
    .where('provider_no', '=', providerNo)
    .executeTakeFirst()
  return row !== undefined
}

/** Saves a favourite; false when it already existed. */
export async function insertFavourite(db: Db, pair: Pair, now: Instant): Promise<boolean> {
  const result = await db
    .insertInto('favourites')
    .values({ account_no: pair.accountNo, provider_no: pair.providerNo, created_at: now })
    .onConflict((conflict) => conflict.columns(['account_no', 'provider_no']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/** Deletes a favourite; false when there was none. */
export async function deleteFavourite(db: Db, pair: Pair): Promise<boolean> {
  const result = await db
    .deleteFrom('favourites')
    .where('account_no', '=', pair.accountNo)
    .where('provider_no', '=', pair.providerNo)
    .executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}

/** Deletes an account's favourites. */
export async function deleteFavouritesOf(db: Db, accountNo: number): Promise<void> {
  await db.deleteFrom('favourites').where('account_no', '=', accountNo).execute()
}

/** Deletes all favourites that point to a provider. */
export async function deleteFavouritesFor(db: Db, providerNo: number): Promise<void> {
  await db.deleteFrom('favourites').where('provider_no', '=', providerNo).execute()
}

/** Minutes the provider keeps free between visits. */
const BUFFER = 'coalesce((select h.buffer_minutes from schedules h where h.provider_no = p.no), 0)'

/** An account's favourites, the latest first, with the main place and the first free time as of `now`. */
export function listFavourites(db: Db, accountNo: number, now: Instant) {
  return db
    .selectFrom('favourites as f')
    .innerJoin('providers as p', 'p.no', 'f.provider_no')
    .leftJoin('places as l', (join) =>
      join
        .onRef('l.provider_no', '=', 'p.no')
        .on('l.position', '=', 0)
        .on('l.removed_at', 'is', null),
    )
    .select([
      'f.created_at',
      'p.id',
      'p.region',
      'p.title',
      'p.first_name',
      'p.last_name',
      'p.specialty_no',
      'p.photo',
      'p.verification_status',
      'p.amount_minor',
      'p.currency',
      'l.name as place_name',
      'l.locality',
      'l.postcode',
      'l.time_zone',
    ])
    .select((e) =>
      e
        .selectFrom('slots as s')
        .select((slot) => slot.fn.min<number | null>('s.start_at').as('start_at'))
        .whereRef('s.provider_no', '=', 'p.no')
        .where('s.free', '=', sql.lit(1))
        .where('s.start_at', '>=', now)
        .where(fits('s', 'p.consultation_minutes', BUFFER))
        .as('next_free'),
    )
    .where('f.account_no', '=', accountNo)
    .orderBy('f.created_at', 'desc')
    .orderBy('p.id')
    .execute()
}

/** An account's favourites for the data export. */
export function listFavouritesOf(db: Db, accountNo: number) {
  return db
    .selectFrom('favourites as f')
    .innerJoin('providers as p', 'p.no', 'f.provider_no')
    .select([
      'p.id as provider_id',
      'p.first_name as provider_first_name',
      'p.last_name as provider_last_name',
      'f.created_at as saved_at',
    ])
    .where('f.account_no', '=', accountNo)
    .orderBy('f.created_at')
    .execute()
}
