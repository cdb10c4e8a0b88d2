import { readFile } from 'node:fs/promises'
import type { Database } from '#db/engine.ts'
import { parseSectors } from '#db/geo/sectors.ts'

const SECTORS = new URL('../db/geo/uk-sectors.tsv', import.meta.url)

const ZIPS = [
  ['10001', 40.7506, -73.9973, 'New York', 'NY', 'America/New_York'],
  ['33130', 25.7672, -80.2059, 'Miami', 'FL', 'America/New_York'],
  ['60614', 41.9227, -87.6533, 'Chicago', 'IL', 'America/Chicago'],
  ['78704', 30.2428, -97.7658, 'Austin', 'TX', 'America/Chicago'],
  ['80202', 39.7491, -104.9946, 'Denver', 'CO', 'America/Denver'],
  ['85004', 33.4513, -112.0709, 'Phoenix', 'AZ', 'America/Phoenix'],
  ['90012', 34.0614, -118.2385, 'Los Angeles', 'CA', 'America/Los_Angeles'],
  ['96813', 21.3137, -157.8448, 'Honolulu', 'HI', 'Pacific/Honolulu'],
] as const

const UK_TOWNS = [
  ['Leeds', 53.7965, -1.5478, 455_123],
  ['Manchester', 53.4809, -2.2374, 395_515],
  ['Glasgow', 55.8651, -4.2576, 591_620],
  ['Bristol', 51.4552, -2.5966, 617_280],
] as const

/** Every twentieth sector of the real table, eight ZIP codes and a few towns: enough to seed from. */
export async function insertTestAreas({ db }: Database): Promise<void> {
  const sectors = parseSectors(await readFile(SECTORS, 'utf8')).filter(
    ({ sector }, no) => no % 20 === 0 || /^(?:SE1|M20) /.test(sector),
  )
  await db.insertInto('geo_uk_sectors').values(sectors).execute()
  const zips = ZIPS.map(([zip, latitude, longitude, city, state, timeZone]) => {
    return { zip, latitude, longitude, city, state, time_zone: timeZone, kind: 'zcta' as const }
  })
  await db.insertInto('geo_us_zips').values(zips).execute()
  const uk = UK_TOWNS.map(([name, latitude, longitude, population]) => {
    return { region: 'uk' as const, name, latitude, longitude, population }
  })
  const usa = zips.map(({ city, latitude, longitude }) => {
    return { region: 'usa' as const, name: city, latitude, longitude, population: 900_000 }
  })
  const rest = { admin: '', admin_name: '', near: '', rank: 0, is_alias: 0 as const }
  const towns = [...uk, ...usa].map((town, id) => ({ ...town, ...rest, id, key: town.name }))
  await db.insertInto('geo_places').values(towns).execute()
}
