import type { Region } from '#contract/base/region.ts'
import type { Db } from '#db/engine.ts'
import type { GeoPlaceRow, UkOutcodeRow, UkSectorRow, UkUnitRow, UsZipRow } from '#db/tables/geo.ts'
import type { Point } from './points.ts'

/** Sorts after every character a code or key may continue with. */
const LAST_CHARACTER = '\uffff'

/** Names are rarely shared by more places; those of the highest rank are kept. */
const MAX_NAMESAKES = 60

export function findUnit(db: Db, postcode: string): Promise<UkUnitRow | undefined> {
  return db
    .selectFrom('geo_uk_units')
    .selectAll()
    .where('postcode', '=', postcode)
    .executeTakeFirst()
}

export function findSector(db: Db, sector: string): Promise<UkSectorRow | undefined> {
  return db.selectFrom('geo_uk_sectors').selectAll().where('sector', '=', sector).executeTakeFirst()
}

export function findOutcode(db: Db, code: string): Promise<UkOutcodeRow | undefined> {
  return db.selectFrom('geo_uk_outcodes').selectAll().where('code', '=', code).executeTakeFirst()
}

/** Outcodes, districts and areas with this prefix, by code. */
export function listOutcodes(db: Db, prefix: string, limit: number): Promise<UkOutcodeRow[]> {
  return db
    .selectFrom('geo_uk_outcodes')
    .selectAll()
    .where('code', '>=', prefix)
    .where('code', '<', prefix + LAST_CHARACTER)
    .orderBy('code')
    .limit(limit)
    .execute()
}

/** Sectors with this prefix, by name: "SW1A" and "SW1A 1" alike. */
export function listSectors(db: Db, prefix: string, limit: number): Promise<UkSectorRow[]> {
  return db
    .selectFrom('geo_uk_sectors')
    .selectAll()
    .where('sector', '>=', prefix)
    .where('sector', '<', prefix + LAST_CHARACTER)
    .orderBy('sector')
    .limit(limit)
    .execute()
}

/** Imported postcodes with this prefix (no space), by name. */
export function listUnits(db: Db, prefix: string, limit: number): Promise<UkUnitRow[]> {
  return db
    .selectFrom('geo_uk_units')
    .selectAll()
    .where('postcode', '>=', prefix)
    .where('postcode', '<', prefix + LAST_CHARACTER)
    .orderBy('postcode')
    .limit(limit)
    .execute()
}

export function findZip(db: Db, zip: string): Promise<UsZipRow | undefined> {
  return db.selectFrom('geo_us_zips').selectAll().where('zip', '=', zip).executeTakeFirst()
}

/** Domestic ZIP codes with this prefix, by number. */
export function listZips(db: Db, prefix: string, limit: number): Promise<UsZipRow[]> {
  return db
    .selectFrom('geo_us_zips')
    .selectAll()
    .where('zip', '>=', prefix)
    .where('zip', '<', prefix + LAST_CHARACTER)
    .where('kind', '<>', 'military')
    .orderBy('zip')
    .limit(limit)
    .execute()
}

/** The mean point of the ZIP codes with this prefix; undefined without any. */
export async function meanOfZips(db: Db, prefix: string): Promise<Point | undefined> {
  const mean = await db
    .selectFrom('geo_us_zips')
    .select((e) => [e.fn.avg<number>('latitude').as('latitude')])
    .select((e) => [e.fn.avg<number>('longitude').as('longitude')])
    .where('zip', '>=', prefix)
    .where('zip', '<', prefix + LAST_CHARACTER)
    .where('kind', '<>', 'military')
    .executeTakeFirst()
  if (mean === undefined || mean.latitude === null) return undefined
  return mean
}

/** The zone of most domestic ZIP codes with this prefix; undefined without any. */
export async function commonZoneOfZips(db: Db, prefix: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('geo_us_zips')
    .select('time_zone')
    .where('zip', '>=', prefix)
    .where('zip', '<', prefix + LAST_CHARACTER)
    .where('kind', '<>', 'military')
    .groupBy('time_zone')
    .orderBy((e) => e.fn.countAll(), 'desc')
    .orderBy('time_zone')
    .limit(1)
    .executeTakeFirst()
  return row?.time_zone
}

/** Degrees; `west` and `east` do not go around the globe. */
export type Box = { south: number; north: number; west: number; east: number }

/**
 * Sectors, outcodes that have none (Northern Ireland and the islands), and domestic ZIP codes whose points
 * lie in a box, in no particular order.
 */
export async function listCodesWithin(
  db: Db,
  { south, north, west, east }: Box,
): Promise<(Point & { region: Region; code: string })[]> {
  const sectors = await db
    .selectFrom('geo_uk_sectors')
    .select(['sector as code', 'latitude', 'longitude'])
    .where('latitude', '>=', south)
    .where('latitude', '<=', north)
    .where('longitude', '>=', west)
    .where('longitude', '<=', east)
    .execute()
  const outcodes = await db
    .selectFrom('geo_uk_outcodes')
    .select(['code', 'latitude', 'longitude'])
    .where('level', '=', 'outcode')
    .where('postcodes', '=', 0)
    .where('latitude', '>=', south)
    .where('latitude', '<=', north)
    .where('longitude', '>=', west)
    .where('longitude', '<=', east)
    .execute()
  const zips = await db
    .selectFrom('geo_us_zips')
    .select(['zip as code', 'latitude', 'longitude'])
    .where('kind', '<>', 'military')
    .where('latitude', '>=', south)
    .where('latitude', '<=', north)
    .where('longitude', '>=', west)
    .where('longitude', '<=', east)
    .execute()
  return [
    ...[...sectors, ...outcodes].map((row) => ({ ...row, region: 'uk' as const })),
    ...zips.map((row) => ({ ...row, region: 'usa' as const })),
  ]
}

/** A place, with the large town close to its code: null in the USA. */
export type Namesake = GeoPlaceRow & { town: string | null }

/** Places with exactly this key, each once, by rank. */
export function listPlaces(db: Db, region: Region, key: string): Promise<Namesake[]> {
  return db
    .selectFrom('geo_places as p')
    .leftJoin('geo_uk_outcodes as o', (on) =>
      on.onRef('o.code', '=', 'p.near').on('p.region', '=', 'uk'),
    )
    .selectAll('p')
    .select('o.near as town')
    .where('p.region', '=', region)
    .where('p.key', '=', key)
    .orderBy('p.rank', 'desc')
    .orderBy('p.is_alias')
    .orderBy('p.id')
    .limit(MAX_NAMESAKES)
    .execute()
}

/** Places whose key has this prefix, by rank; a place may appear under two spellings. */
export function listPlacesByPrefix(
  db: Db,
  within: { region: Region; prefix: string },
  limit: number,
): Promise<GeoPlaceRow[]> {
  return db
    .selectFrom('geo_places')
    .selectAll()
    .where('region', '=', within.region)
    .where('key', '>=', within.prefix)
    .where('key', '<', within.prefix + LAST_CHARACTER)
    .orderBy('rank', 'desc')
    .orderBy('key')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** SQLite accepts 32,766 parameters in a statement, Postgres twice that. */
const VALUES_PER_STATEMENT = 30_000

/** Splits rows into batches that fit one INSERT of `columns` columns. */
export function* statementBatches<T>(rows: readonly T[], columns: number): Iterable<T[]> {
  // Batches above a thousand rows gain nothing and make the statement slow to compile.
  const size = Math.min(1000, Math.floor(VALUES_PER_STATEMENT / columns))
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}
