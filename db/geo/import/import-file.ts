import type { Database, Db } from '#db/engine.ts'
import type { City } from '#db/geo/packages.ts'
import type { ListFile } from './files.ts'
import type { UkFormat, UsFormat } from './formats.ts'
import type { Blocks, OnProgress } from './lines.ts'
import { mergeZips } from './merge-zips.ts'
import { ImportProblem, type Rejects } from './problem.ts'
import { openLists, unitsIn } from './read-uk.ts'
import type { UkOptions } from './uk-rows.ts'
import { readUsRow, type UsZip } from './us-rows.ts'
import { readPlaceLine, writePlaces } from './write-places.ts'
import { UnitWriter } from './write-units.ts'
import { readKnown, writeZips } from './write-zips.ts'

export type ImportOptions = UkOptions & {
  rejects: Rejects
  onProgress?: OnProgress
}

/** Number of a file's rows that are in the tables now, new or not. */
export type Imported = { postcodes: number; zips: number; places: number }

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
const MOST_ZIPS = 500_000

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
    if (zips.length > MOST_ZIPS) {
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
const MOST_PLACES = 500_000

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
    if (cities.length > MOST_PLACES) {
      throw new ImportProblem('damaged', 'A list names more than 500,000 places.')
    }
  }
  return database.transaction((db) => writePlaces(db, cities))
}

const READABLE = [
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
    const message = `${file.path} holds no list in a known format. Known are: ${READABLE}.`
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
