import Sqlite from 'better-sqlite3'
import type { SearchFilters, SearchResults } from '#contract/search.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import type { Point } from '#server/search/circle.ts'
import { sliceOf, sliceOfPage, totalOf } from '#server/search/matches.ts'
import type { Match, Narrowing } from '#server/search/matches-store.ts'
import { searchProviders } from '#server/search/providers.ts'
import { type CardRow, listCardRows } from '#server/search/store.ts'
import type { BenchOptions } from './bar.ts'
import { type DataSpec, dataFile, NOW } from './data.ts'
import { seeded } from './random.ts'
import { peopleSampler } from './where-people-live.ts'

export const RADIUS = 25

export type Question = { centre: Point; specialty: number }

/** A million providers of thirty specialties; the quick one has as many a specialty. */
export function bigSpec({ quick }: BenchOptions): DataSpec {
  return quick
    ? { providers: 200_000, specialties: 6, slots: 20 }
    : { providers: 1_000_000, specialties: 30, slots: 20 }
}

/** A hundredth of the big one. */
export function smallSpec({ quick }: BenchOptions): DataSpec {
  return quick
    ? { providers: 2_000, specialties: 6, slots: 20 }
    : { providers: 10_000, specialties: 30, slots: 20 }
}

export type Ground = {
  database: Database
  /** The same file opened past the product's data layer. */
  raw: Sqlite.Database
  close(): Promise<void>
}

/** Opens a data set both ways. */
export async function openGround(spec: DataSpec, options: BenchOptions): Promise<Ground> {
  const path = await dataFile(spec, options)
  const database = openDatabase(`sqlite:${path}`)
  const raw = new Sqlite(path, { readonly: true })
  raw.pragma('cache_size = -16000')
  raw.pragma('temp_store = MEMORY')
  return {
    database,
    raw,
    close: async () => {
      raw.close()
      await database.close()
    },
  }
}

/** Searches from where people live, for specialties in turn. */
export async function questions(count: number, specialties: number): Promise<Question[]> {
  const random = seeded(2)
  const somewhere = await peopleSampler(random)
  return Array.from({ length: count }, () => ({
    centre: somewhere(),
    specialty: 1 + Math.floor(random() * specialties),
  }))
}

/** The whole search as a page asks for it: place, total, cards and their free times. */
export function wholeSearch(
  { database }: Ground,
  { centre, specialty }: Question,
  available?: SearchFilters['available'],
): Promise<SearchResults> {
  return searchProviders(
    { database, now: () => NOW },
    {
      selectedRegion: 'uk',
      postcode: '',
      ...centre,
      specialty: specialtyByNo(specialty).slug,
      radius: RADIUS,
      distance_filter_clicked: true,
      sort: 'distance',
      page: 1,
      ...(available === undefined ? {} : { available }),
    },
  )
}

export type Answer = { total: number; matches: Match[]; rows: CardRow[] }

export function narrowingFor(specialty: number, freeBefore: number | null = null): Narrowing {
  return {
    specialtyNos: [specialty],
    features: 0,
    languages: 0,
    feeMax: null,
    freeBefore,
    now: NOW,
  }
}

/** Exact total, first page and its texts, through the product's own functions. */
export async function productSearch(
  { database }: Ground,
  { centre, specialty }: Question,
  freeBefore: number | null = null,
): Promise<Answer> {
  const { db } = database
  const area = { centre, radius: RADIUS, narrowing: narrowingFor(specialty, freeBefore) }
  const count = await totalOf(db, area)
  const matches = await sliceOf(db, { ...area, ...count }, sliceOfPage('distance', 1))
  const rows = await listCardRows(
    db,
    matches.map(({ placeNo }) => placeNo),
  )
  return { total: count.total, matches, rows }
}
