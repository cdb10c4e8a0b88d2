import Sqlite from 'better-sqlite3'
import { DEFAULT_RADIUS, type SearchFilters, type SearchResults } from '#contract/search.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import type { Match, MatchFilters } from '#server/search/matches-store.ts'
import {
  countInArea,
  matchesOf,
  searchProviders,
  sliceOfPage,
} from '#server/search/search-providers.ts'
import type { CardRow } from '#server/search/store.ts'
import type { BenchOptions } from './bar.ts'
import { type DataSpec, dataFile, NOW, peopleSampler, type Somewhere, seeded } from './data.ts'

export const RADIUS = 25

export type Question = { centre: Somewhere; specialty: number }

/** A million providers in thirty specialties; a quick run has as many per specialty. */
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

export type BenchData = {
  database: Database
  /** The same file, opened without the product's data layer. */
  raw: Sqlite.Database
  close(): Promise<void>
}

/** Opens a data set through the product's data layer and without it. */
export async function openBenchData(spec: DataSpec, options: BenchOptions): Promise<BenchData> {
  const path = await dataFile(spec, options)
  const database = openDatabase(`sqlite:${path}`)
  const raw = new Sqlite(path, { readonly: true })
  raw.pragma('cache_size = -16000')
  raw.pragma('temp_store = MEMORY')
  raw.pragma('mmap_size = 2147418112')
  return {
    database,
    raw,
    close: async () => {
      raw.close()
      await database.close()
    },
  }
}

/** Searches from populated places, cycling through the specialties. */
export async function questions(count: number, specialties: number): Promise<Question[]> {
  const random = seeded(2)
  const somewhere = await peopleSampler(random)
  return Array.from({ length: count }, () => ({
    centre: somewhere(),
    specialty: 1 + Math.floor(random() * specialties),
  }))
}

type Choices = Pick<SearchFilters, 'available' | 'radius' | 'distance_filter_clicked'>

/** A radius of 25 miles chosen by the user, which is never widened. */
const CHOSEN: Choices = { radius: RADIUS, distance_filter_clicked: true }

/** The radius when none is chosen: ten miles, widened when that finds too few. */
export const DEFAULT: Choices = { radius: DEFAULT_RADIUS, distance_filter_clicked: false }

/** The whole search as a page requests it: place, total, cards and their free times. */
export function fullSearch(
  { database }: Pick<BenchData, 'database'>,
  { centre, specialty }: Question,
  choices: Choices = CHOSEN,
): Promise<SearchResults> {
  return searchProviders(
    { database, now: () => NOW },
    {
      selectedRegion: centre.region,
      postcode: '',
      latitude: centre.latitude,
      longitude: centre.longitude,
      specialty: specialtyByNo(specialty).slug,
      sort: 'distance',
      page: 1,
      ...choices,
    },
  )
}

export type Answer = { total: number; matches: (Match & CardRow)[] }

function narrowingFor(specialty: number, freeBefore: number | null = null): MatchFilters {
  return {
    specialtyNos: [specialty],
    features: 0,
    mode: null,
    languages: 0,
    feeMax: null,
    freeBefore,
    from: NOW,
  }
}

/** Exact total, first page and its texts, through the product's own functions. */
export async function productSearch(
  { database }: Pick<BenchData, 'database'>,
  { centre, specialty }: Question,
  freeBefore: number | null = null,
): Promise<Answer> {
  const { db } = database
  const area = { centre, radius: RADIUS, narrowing: narrowingFor(specialty, freeBefore) }
  const count = await countInArea(db, area)
  const matches = await matchesOf(db, { ...area, ...count }, sliceOfPage('distance', 1))
  return { total: count.total, matches }
}
