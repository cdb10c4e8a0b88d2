import type { Insertable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { ImportRow } from '#db/tables/calendars.ts'

/** A provider's imports with their numbers of appointments, the newest first. */
export function listImports(db: Db, providerNo: number) {
  return db
    .selectFrom('imports as i')
    .select(['i.id', 'i.name', 'i.created_at'])
    .select((eb) =>
      eb
        .selectFrom('busy_times as t')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('t.import_id', '=', 'i.id')
        .as('rows'),
    )
    .where('i.provider_no', '=', providerNo)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .execute()
}

/** The imports that hold appointments with these keys, one for each appointment. */
export async function listHolders(
  db: Db,
  providerNo: number,
  keys: readonly string[],
): Promise<(string | null)[]> {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('busy_times')
    .select('import_id')
    .where('provider_no', '=', providerNo)
    .where('key', 'in', keys)
    .execute()
  return rows.map((row) => row.import_id)
}

export async function insertImport(db: Db, row: Insertable<ImportRow>): Promise<void> {
  await db.insertInto('imports').values(row).execute()
}

export async function deleteImport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('imports').where('id', '=', id).execute()
}

/** Deletes imports without appointments, of one provider or of all. */
export async function deleteEmptyImports(db: Db, providerNo: number | null): Promise<void> {
  let query = db
    .deleteFrom('imports')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('busy_times as t')
            .select('t.key')
            .whereRef('t.import_id', '=', 'imports.id'),
        ),
      ),
    )
  if (providerNo !== null) query = query.where('provider_no', '=', providerNo)
  await query.execute()
}

/** Deletes all imports of a provider whose account is erased; their busy times must be gone already. */
export async function deleteImportsOf(db: Db, providerNo: number): Promise<void> {
  await db.deleteFrom('imports').where('provider_no', '=', providerNo).execute()
}

export function listPlaces(db: Db, providerNo: number) {
  return db
    .selectFrom('places')
    .select(['name', 'postcode', 'time_zone'])
    .where('provider_no', '=', providerNo)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute()
}

/** Booked visits of a provider that have not ended. */
export function listVisits(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<{ start: Instant; end: Instant }[]> {
  return db
    .selectFrom('bookings')
    .select(['start_at as start', 'end_at as end'])
    .where('provider_no', '=', providerNo)
    .where('state', '=', 'confirmed')
    .where('end_at', '>', now)
    .execute()
}
