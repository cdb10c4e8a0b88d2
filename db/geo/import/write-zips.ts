import type { Db } from '#db/engine.ts'
import { statementBatches } from '#db/geo/store.ts'
import { Towns } from '#db/geo/towns.ts'
import type { UsZipRow } from '#db/tables/geo.ts'
import type { KnownZips } from './merge-zips.ts'

/** Every row of ZIP codes, by code, and the towns of the USA. */
export async function readKnown(db: Db): Promise<KnownZips> {
  const rows = await db.selectFrom('geo_us_zips').selectAll().execute()
  const towns = await db
    .selectFrom('geo_places')
    .select(['key', 'admin', 'latitude', 'longitude'])
    .where('region', '=', 'usa')
    // Negative ids were derived from the very ZIP codes in question.
    .where('id', '>', 0)
    .execute()
  return { rows: new Map(rows.map((row) => [row.zip, row])), towns: new Towns(towns) }
}

/** Inserts rows, or replaces those with the same code. Codes must be unique. */
export async function writeZips(db: Db, zips: readonly UsZipRow[]): Promise<void> {
  // Always in the same order, so that concurrent imports do not deadlock.
  const ordered = zips.toSorted((a, b) => (a.zip < b.zip ? -1 : 1))
  for (const rows of statementBatches(ordered, 7)) {
    await db
      .insertInto('geo_us_zips')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('zip').doUpdateSet((e) => ({
          latitude: e.ref('excluded.latitude'),
          longitude: e.ref('excluded.longitude'),
          city: e.ref('excluded.city'),
          state: e.ref('excluded.state'),
          time_zone: e.ref('excluded.time_zone'),
          kind: e.ref('excluded.kind'),
        })),
      )
      .execute()
  }
}
