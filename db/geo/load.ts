import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Database, Db } from '#db/engine.ts'
import type { GeoPlaceRow, UkOutcodeRow, UkSectorRow, UsZipRow } from '#db/tables/geo.ts'
import { packageVersions, readCities } from './packages.ts'
import { LOADED_COUNTRIES, rowsOfCity } from './place-names.ts'
import { LONDON_FILE, parseVillages, placeRows, VILLAGE_FILES } from './place-rows.ts'
import { parseSectors } from './sectors.ts'
import { statementBatches } from './store.ts'
import { Towns, usZipRows } from './us-zips.ts'
import { readZipZones, ZIP_ZONES_FILE } from './zip-zones.ts'

/** Increase when the code that makes the rows changes, so that existing databases load again. */
const LOADER_VERSION = 7

const SECTOR_FILE = new URL('./uk-sectors.tsv', import.meta.url)

type Reference = {
  sectors: UkSectorRow[]
  outcodes: UkOutcodeRow[]
  zips: UsZipRow[]
  places: GeoPlaceRow[]
}

async function currentVersion(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(SECTOR_FILE))
  for (const file of [...VILLAGE_FILES, LONDON_FILE, ZIP_ZONES_FILE])
    hash.update(await readFile(file))
  return hash.update(JSON.stringify([LOADER_VERSION, packageVersions()])).digest('hex')
}

async function versionIn(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('geo_meta')
    .select('value')
    .where('key', '=', 'reference')
    .executeTakeFirst()
  return row?.value
}

async function gatherReference(): Promise<Reference> {
  const sectors = parseSectors(await readFile(SECTOR_FILE, 'utf8'))
  const cities = readCities(LOADED_COUNTRIES)
  const zips = usZipRows(new Towns(cities.flatMap(rowsOfCity)), readZipZones())
  const lists = await Promise.all(VILLAGE_FILES.map((file) => readFile(file, 'utf8')))
  const villages = lists.flatMap(parseVillages)
  const londonParts = parseVillages(await readFile(LONDON_FILE, 'utf8'))
  return { sectors, zips, ...placeRows(sectors, zips, { cities, villages, londonParts }) }
}

async function writeReference(db: Db, reference: Reference): Promise<void> {
  await db.deleteFrom('geo_uk_sectors').execute()
  await db.deleteFrom('geo_uk_outcodes').execute()
  await db.deleteFrom('geo_us_zips').execute()
  await db.deleteFrom('geo_places').execute()
  for (const rows of statementBatches(reference.sectors, 5)) {
    await db.insertInto('geo_uk_sectors').values(rows).execute()
  }
  for (const rows of statementBatches(reference.outcodes, 6)) {
    await db.insertInto('geo_uk_outcodes').values(rows).execute()
  }
  for (const rows of statementBatches(reference.zips, 7)) {
    await db.insertInto('geo_us_zips').values(rows).execute()
  }
  for (const rows of statementBatches(reference.places, 12)) {
    await db.insertInto('geo_places').values(rows).execute()
  }
  // Postcodes imported into these tables are gone too: import the folder again.
  await db.deleteFrom('geo_meta').where('key', 'like', 'import:%').execute()
}

/**
 * Loads sectors, outcodes, ZIP codes and town names from the installed packages, unless the tables hold
 * exactly that already. Imported postcodes stay. Returns whether anything was written; `report` is called
 * with one line when work begins.
 */
export async function loadReference(
  database: Database,
  report: (line: string) => void = () => undefined,
): Promise<boolean> {
  const version = await currentVersion()
  if ((await versionIn(database.db)) === version) return false
  return database.transaction(async (db) => {
    // Two servers may start at once: this row is the lock, and the second finds the work done.
    await db
      .insertInto('geo_meta')
      .values({ key: 'reference_lock', value: version })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: version }))
      .execute()
    if ((await versionIn(db)) === version) return false
    report('Loading postcodes, ZIP codes and towns')
    await writeReference(db, await gatherReference())
    await db
      .insertInto('geo_meta')
      .values({ key: 'reference', value: version })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: version }))
      .execute()
    return true
  })
}
