import { readFile } from 'node:fs/promises'
import type { Database, Db } from '#db/engine.ts'
import type { City } from '#db/geo/packages.ts'
import { LOADED_COUNTRIES, rowsOfCity } from '#db/geo/place-names.ts'
import {
  codesNear,
  isSamePlace,
  LONDON_FILE,
  londonRanks,
  parseVillages,
} from '#db/geo/place-rows.ts'
import { statementBatches } from '#db/geo/store.ts'
import { runSql } from '#db/run-sql.ts'
import type { GeoPlaceRow } from '#db/tables/geo.ts'
import type { UkFormat, UsFormat } from './formats.ts'
import { mergeZips, readKnown, readUsRow, type UsZip, writeZips } from './import-zips.ts'
import { type Blocks, type ListFile, type OnProgress, readDegrees } from './list-files.ts'
import { openLists, type UkOptions, type UkUnit, unitsIn } from './read-uk.ts'
import { type Imported, ImportProblem, type Rejects } from './report.ts'

/** A parsed row, or the reason it was rejected. */
type PlaceLine = { city: City } | { rejected: string; example: string }

/** GeoNames' codes of populated places that are abandoned, historical or destroyed. */
const ABANDONED = new Set(['PPLQ', 'PPLH', 'PPLCH', 'PPLW'])

/**
 * Parses one line of GeoNames' gazetteer ("GB.txt", "cities500.txt": 19 columns, listed in its readme.txt);
 * only populated places are kept.
 */
function readPlaceLine(line: string): PlaceLine {
  const cells = line.split('\t')
  const [id, name = '', , , latitude, longitude, featureClass, featureCode = '', country = ''] =
    cells
  if (!LOADED_COUNTRIES.has(country)) return { rejected: 'of another country', example: name }
  if (featureClass !== 'P') return { rejected: 'not a populated place', example: name }
  if (ABANDONED.has(featureCode)) return { rejected: 'no longer there', example: name }
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
  const withRank = londonRanks(parseVillages(await readFile(LONDON_FILE, 'utf8')))
  const rows = new Map<string, GeoPlaceRow>()
  for (const row of cities.flatMap(rowsOfCity).map(withRank)) {
    if (row.key === '') continue
    // The last row of an id wins: no statement may touch a row twice.
    rows.set(`${row.region}/${row.key}/${row.id}`, { ...row, near: codeNear(row) })
  }
  return [...rows.values()]
}

/** Whether a substitute place, stored under a negative number, is also in the list. */
function isReplacedBy(rows: readonly GeoPlaceRow[]): (made: GeoPlaceRow) => boolean {
  const byName = Map.groupBy(rows, ({ region, key, admin }) => `${region}/${key}/${admin}`)
  return (made) =>
    (byName.get(`${made.region}/${made.key}/${made.admin}`) ?? []).some(
      // A state has one post town of a name; England has thirty villages called Newtown.
      (row) => made.region === 'usa' || isSamePlace(row, made),
    )
}

async function deleteReplaced(db: Db, rows: readonly GeoPlaceRow[]): Promise<void> {
  const substitutes = await db.selectFrom('geo_places').selectAll().where('id', '<', 0).execute()
  const replaced = substitutes.filter(isReplacedBy(rows)).map(({ id }) => id)
  for (const ids of statementBatches(replaced, 1)) {
    await db.deleteFrom('geo_places').where('id', 'in', ids).execute()
  }
}

/**
 * Adds towns and villages to `geo_places`, or replaces those with the same GeoNames number. Returns the
 * number of the list's places that are now stored.
 */
async function writePlaces(db: Db, cities: readonly City[]): Promise<number> {
  const rows = await rowsToWrite(db, cities)
  for (const part of statementBatches(rows, 12)) {
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
          rank: e.ref('excluded.rank'),
          near: e.ref('excluded.near'),
          is_alias: e.ref('excluded.is_alias'),
        })),
      )
      .execute()
  }
  await deleteReplaced(db, rows)
  return rows.filter((row) => row.is_alias === 0).length
}

/** Larger statements gain nothing. */
const ROWS_PER_STATEMENT = 1_000

/** Other writers wait for a transaction: this many rows take a few tenths of a second. */
const ROWS_PER_TRANSACTION = 20_000

/** Does not write unchanged rows again. */
function upsertText(rows: number): string {
  const values = Array.from({ length: rows }, () => '(?,?,?)').join(',')
  return `insert into geo_uk_units (postcode, latitude, longitude) values ${values}
    on conflict (postcode) do update
    set latitude = excluded.latitude, longitude = excluded.longitude
    where geo_uk_units.latitude <> excluded.latitude
    or geo_uk_units.longitude <> excluded.longitude`
}

const fullText = upsertText(ROWS_PER_STATEMENT)

async function writeAll(db: Db, units: readonly UkUnit[]): Promise<void> {
  for (let at = 0; at < units.length; at += ROWS_PER_STATEMENT) {
    const rows = units.slice(at, at + ROWS_PER_STATEMENT)
    const text = rows.length === ROWS_PER_STATEMENT ? fullText : upsertText(rows.length)
    await runSql(
      db,
      text,
      rows.flatMap((unit) => [unit.postcode, unit.latitude, unit.longitude]),
    )
  }
}

/** Collects postcodes and writes them in few transactions; the last row of a postcode wins. */
class UnitWriter {
  readonly #database: Database
  /** Keyed by postcode: no statement may touch a row twice. */
  #waiting = new Map<string, UkUnit>()

  constructor(database: Database) {
    this.#database = database
  }

  async add(units: Iterable<UkUnit>): Promise<number> {
    let count = 0
    for (const unit of units) {
      this.#waiting.set(unit.postcode, unit)
      count += 1
      if (this.#waiting.size >= ROWS_PER_TRANSACTION) await this.flush()
    }
    return count
  }

  /** Writes the collected rows; call it after the last row. */
  async flush(): Promise<void> {
    // Always in the same order, so that concurrent imports do not deadlock.
    const units = [...this.#waiting.values()].toSorted((a, b) => (a.postcode < b.postcode ? -1 : 1))
    this.#waiting = new Map()
    if (units.length > 0) await this.#database.transaction((db) => writeAll(db, units))
  }
}

export type ImportOptions = UkOptions & {
  rejects: Rejects
  onProgress?: OnProgress
}

async function importUnits(
  database: Database,
  list: { format: UkFormat; rows: Blocks },
  options: ImportOptions,
): Promise<number> {
  const { format, rows } = list
  const writer = new UnitWriter(database)
  let count = 0
  for await (const lines of rows) {
    count += await writer.add(unitsIn({ format, lines }, options.rejects, options))
  }
  await writer.flush()
  return count
}

/** Ten times the real number: only a malicious file unpacks to more. */
const MAX_ZIPS = 500_000

/** ZIP codes are few enough to hold in memory. */
async function importZips(
  database: Database,
  list: { format: UsFormat; rows: Blocks },
  rejects: Rejects,
): Promise<number> {
  const zips: UsZip[] = []
  for await (const lines of list.rows) {
    for (const line of lines) {
      if (line === '') continue
      const row = readUsRow(list.format, line)
      if ('zip' in row) zips.push(row.zip)
      else rejects.add(row.rejected, row.example)
    }
    if (zips.length > MAX_ZIPS) {
      throw new ImportProblem('damaged', 'A list names more than 500,000 ZIP codes.')
    }
  }
  return database.transaction(async (db) => {
    const changed = mergeZips(zips, await readKnown(db), rejects)
    await writeZips(db, changed)
    return changed.length
  })
}

/** More than GeoNames has populated places in both countries, historical ones included. */
const MAX_PLACES = 500_000

/** Towns and villages are imported all at once or not at all: labels tell each from its namesakes. */
async function importPlaces(database: Database, rows: Blocks, rejects: Rejects): Promise<number> {
  const cities: City[] = []
  for await (const lines of rows) {
    for (const line of lines) {
      if (line === '') continue
      const row = readPlaceLine(line)
      if ('city' in row) cities.push(row.city)
      else rejects.add(row.rejected, row.example)
    }
    if (cities.length > MAX_PLACES) {
      throw new ImportProblem('damaged', 'A list names more than 500,000 places.')
    }
  }
  return database.transaction((db) => writePlaces(db, cities))
}

const SUPPORTED_FORMATS = [
  'Code-Point Open, ONSPD, NSPL, a CSV of postcode, lat and lon,',
  "the Census gazetteer of ZIP codes, and GeoNames' postal codes and places",
].join(' ')

/**
 * Streams every list in a file into the tables of postcodes, ZIP codes and places, and records the file.
 * Importing the same file again leaves the tables unchanged. Throws `ImportProblem` for a file that cannot be
 * read or holds no list; rows read before that stay.
 */
export async function importFile(
  database: Database,
  file: ListFile,
  options: ImportOptions,
): Promise<Imported> {
  const done: Imported = { postcodes: 0, zips: 0, places: 0 }
  let lists = 0
  for await (const { format, rows } of openLists(file, options.onProgress)) {
    lists += 1
    if (format.kind === 'code_point' || format.kind === 'postcode_list') {
      done.postcodes += await importUnits(database, { format, rows }, options)
    } else if (format.kind === 'geonames_places') {
      done.places += await importPlaces(database, rows, options.rejects)
    } else {
      done.zips += await importZips(database, { format, rows }, options.rejects)
    }
  }
  if (lists === 0) {
    const message = `${file.path} holds no list in a known format. Known are: ${SUPPORTED_FORMATS}.`
    throw new ImportProblem('unknown', message)
  }
  await writeStamp(database.db, file)
  return done
}

/** What identifies a file: name, size and modification time. */
export function stampOf(file: ListFile): string {
  return `import:${file.name.replace(/^.*\//, '')}:${file.bytes}:${file.changed}`
}

/** Stamps of the processed files, each with its problem, or an empty text. */
export async function readStamps(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('geo_meta')
    .selectAll()
    .where('key', 'like', 'import:%')
    .execute()
  return new Map(rows.map((row) => [row.key, row.value]))
}

/** Records that a file has been processed, so that the next start skips it. */
export async function writeStamp(db: Db, file: ListFile, problem = ''): Promise<void> {
  await db
    .insertInto('geo_meta')
    .values({ key: stampOf(file), value: problem })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: problem }))
    .execute()
}
