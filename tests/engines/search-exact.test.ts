import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  AVAILABLE_WITHIN,
  type ProviderCard,
  RADII,
  SearchFilters,
  SORTS,
} from '#contract/search.ts'
import { makeBackground } from '#server/kernel/limits/background.ts'
import { refreshNextFree } from '#server/search/index-rows.ts'
import { searchProviders } from '#server/search/providers.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { naiveSearch } from './search-naive.ts'
import { deletePeople, insertPeople, type Person } from './search-people.ts'

const background = makeBackground(0)

const INDEXED = Date.parse('2026-03-27T08:00:00Z')
const QUARTER = 900_000

/** Towns close enough that circles overlap, one of them on the edge of two latitude bands. */
const TOWNS = [
  { latitude: 51.5, longitude: -0.1 },
  { latitude: 51.62, longitude: 0.05 },
  { latitude: 51.3, longitude: -0.5 },
]

const site = fc
  .record({
    town: fc.constantFrom(...TOWNS),
    north: fc.integer({ min: -900, max: 900 }),
    east: fc.integer({ min: -1400, max: 1400 }),
    spread: fc.constantFrom(1, 0.3, 0.02, 0),
  })
  .map(({ town, north, east, spread }) => ({
    latitude: Math.round(town.latitude * 10_000 + north * spread * 4) / 10_000,
    longitude: Math.round(town.longitude * 10_000 + east * spread * 4) / 10_000,
  }))

const person = fc.record({
  sites: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(site) },
    { weight: 1, arbitrary: fc.array(site, { minLength: 2, maxLength: 3 }) },
  ),
  specialtyNo: fc.constantFrom(1, 1, 1, 2),
  fee: fc.constantFrom(30, 45, 60, 80, 120),
  name: fc.constantFrom('Adler', 'Baker', 'Bàker', 'Zöe', 'o’Neil', "O'Neil"),
  gender: fc.constantFrom('female' as const, 'male' as const, 'non_binary' as const, null),
  languages: fc.subarray(['en', 'cy', 'pl', 'el'], { minLength: 1 }),
  video: fc.boolean(),
  // Includes Sunday 29 March 2026, when London has no 01:30.
  free: fc.uniqueArray(
    fc.integer({ min: -8, max: 600 }).map((n) => INDEXED + n * QUARTER),
    { maxLength: 14 },
  ),
})

/** `fc.double` favours numbers near zero; centres should come evenly. */
function evenly(min: number, max: number) {
  return fc.integer({ min: 0, max: 1e9 }).map((n) => min + ((max - min) * n) / 1e9)
}

const question = fc.record({
  latitude: evenly(51.2, 51.75),
  longitude: evenly(-0.7, 0.3),
  radius: fc.constantFrom(...RADII),
  specialty: fc.constantFrom('gp', 'gp', undefined),
  sort: fc.constantFrom(...SORTS),
  page: fc.constantFrom(1, 1, 2, 3, 9),
  available: fc.option(fc.constantFrom(...AVAILABLE_WITHIN), { nil: undefined }),
  fee_max: fc.option(fc.constantFrom(45, 60, 100), { nil: undefined }),
  gender: fc.option(fc.constantFrom('female' as const, 'male' as const), { nil: undefined }),
  language: fc.option(fc.constantFrom('cy' as const, 'el' as const), { nil: undefined }),
  mode: fc.option(fc.constantFrom('video' as const), { nil: undefined }),
})

function filtersOf(asked: Record<string, unknown>) {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  return SearchFilters.parse({ ...Object.fromEntries(given), distance_filter_clicked: true })
}

function whatCounts({ id, distance, nextFree, days }: ProviderCard) {
  return { id, distance, nextFree, days }
}

/** The same people with accents removed from their names. */
function folded(people: readonly Person[]): Person[] {
  return people.map((one) => ({
    ...one,
    name: (one.name ?? '').normalize('NFKD').replace(/\p{Mark}/gu, ''),
  }))
}

const SIZES = [
  { what: 'a crowd', people: { minLength: 500, maxLength: 900 }, questions: 40, numRuns: 4 },
  { what: 'a few', people: { maxLength: 40 }, questions: 8, numRuns: 20 },
]

describeEngines('a search', (makeDatabase) => {
  test.each(SIZES)(
    'among $what finds, counts and orders exactly as looking at everybody does',
    async (size) => {
      const database = await makeDatabase()
      await fc.assert(
        fc.asyncProperty(
          fc.array(person, { ...size.people, size: 'max' }),
          fc.array(question, { minLength: size.questions, maxLength: size.questions }),
          fc.integer({ min: 0, max: 300 }),
          async (drawn, questions, quarters) => {
            const people = drawn.map((one, n) => ({ ...one, no: n + 1 }))
            const asFolded = folded(people)
            // The index is older than the search, so some first free times have passed.
            const now = INDEXED + quarters * QUARTER + 1
            const ctx = { database, background, now: () => now }
            await deletePeople(database.db)
            await insertPeople(database.db, people, INDEXED)
            for (const when of ['stale', 'swept']) {
              for (const asked of questions) {
                const filters = filtersOf(asked)
                const answer = await searchProviders(ctx, filters)
                const expected = naiveSearch(asFolded, filters, now)
                const { total } = answer
                expect({ when, asked, total }).toEqual({ when, asked, total: expected.total })
                expect(answer.results.map(whatCounts)).toEqual(expected.results)
              }
              await refreshNextFree(ctx)
            }
          },
        ),
        // Shrinking a large example takes longer than reading which search failed.
        { numRuns: size.numRuns, endOnFailure: true },
      )
    },
    120_000,
  )
})
