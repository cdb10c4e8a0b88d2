import type { Db } from '#db/engine.ts'
import type { City } from '#db/geo/packages.ts'
import { LOADED_COUNTRIES, rowsOfCity } from '#db/geo/place-names.ts'
import { codesNear } from '#db/geo/place-rows.ts'
import { inStatements } from '#db/geo/store.ts'
import { isSamePlace } from '#db/geo/villages.ts'
import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { readDegrees } from './fields.ts'

/** A parsed row, or the reason it was rejected. */
export type PlaceLine = { city: City } | { rejected: string; example: string }

/** GeoNames' codes of populated places that are abandoned, historical or destroyed. */
const GONE = new Set(['PPLQ', 'PPLH', 'PPLCH', 'PPLW'])

/**
 * Parses one line of GeoNames' gazetteer ("GB.txt", "cities500.txt": 19 columns, listed in its readme.txt);
 * only populated places are kept.
 */
export function readPlaceLine(line: string): PlaceLine {
  const cells = line.split('\t')
  const [id, name = '', , , latitude, longitude, featureClass, featureCode = '', country = ''] =
    cells
  if (!LOADED_COUNTRIES.has(country)) return { rejected: 'of another country', example: name }
  if (featureClass !== 'P') return { rejected: 'not a populated place', example: name }
  if (GONE.has(featureCode)) return { rejected: 'no longer there', example: name }
  const city = {
    id: Number(id),
    name,
    country,
    featureCode,
    admin: cells[10] ?? '',
    population: Math.max(0, Math.trunc(Number(cells[14]) || 0)),
    latitude: readDegrees(latitude),
    longitude: readDegrees(longitude),
  }
  const hasPoint = Math.abs(city.latitude) <= 90 && Math.abs(city.longitude) <= 180
  if (!hasPoint) return { rejected: 'without coordinates', example: name }
  return { city }
}

async function rowsToWrite(db: Db, cities: readonly City[]): Promise<GeoPlaceRow[]> {
  const outcodes = await db.selectFrom('geo_uk_outcodes').selectAll().execute()
  const zips = await db.selectFrom('geo_us_zips').selectAll().execute()
  const codeNear = codesNear(outcodes, zips)
  const rows = new Map<string, GeoPlaceRow>()
  for (const row of cities.flatMap(rowsOfCity)) {
    if (row.key === '') continue
    // The last row of an id wins: no statement may touch a row twice.
    rows.set(`${row.region}/${row.key}/${row.id}`, { ...row, near: codeNear(row) })
  }
  return [...rows.values()]
}

/** Whether a substitute place, stored under a negative number, is also in the list. */
function standInsFor(rows: readonly GeoPlaceRow[]): (made: GeoPlaceRow) => boolean {
  const byName = Map.groupBy(rows, ({ region, key, admin }) => `${region}/${key}/${admin}`)
  return (made) =>
    (byName.get(`${made.region}/${made.key}/${made.admin}`) ?? []).some(
      // A state has one post town of a name; England has thirty villages called Newtown.
      (row) => made.region === 'usa' || isSamePlace(row, made),
    )
}

async function dropStandIns(db: Db, rows: readonly GeoPlaceRow[]): Promise<void> {
  const made = await db.selectFrom('geo_places').selectAll().where('id', '<', 0).execute()
  const twice = made.filter(standInsFor(rows)).map(({ id }) => id)
  for (const ids of inStatements(twice, 1)) {
    await db.deleteFrom('geo_places').where('id', 'in', ids).execute()
  }
}

/**
 * Adds towns and villages to `geo_places`, or replaces those with the same GeoNames number. Returns the
 * number of the list's places that are now stored.
 */
export async function writePlaces(db: Db, cities: readonly City[]): Promise<number> {
  const rows = await rowsToWrite(db, cities)
  for (const part of inStatements(rows, 11)) {
    await db
      .insertInto('geo_places')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['region', 'key', 'id']).doUpdateSet((e) => ({
          name: e.ref('excluded.name'),
          admin: e.ref('excluded.admin'),
          admin_name: e.ref('excluded.admin_name'),
          latitude: e.ref('excluded.latitude'),
          longitude: e.ref('excluded.longitude'),
          population: e.ref('excluded.population'),
          near: e.ref('excluded.near'),
          is_alias: e.ref('excluded.is_alias'),
        })),
      )
      .execute()
  }
  await dropStandIns(db, rows)
  return rows.filter((row) => row.is_alias === 0).length
}
