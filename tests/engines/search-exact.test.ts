import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SEARCH_PAGE_SIZE } from '#contract/base/paging.ts'
import {
  AVAILABLE_WITHIN,
  type FreeDay,
  type ProviderCard,
  RADII,
  SearchFilters,
  SORTS,
} from '#contract/search.ts'
import { specialtyBySlug } from '#db/reference/specialties.ts'
import { makeBackground } from '#server/kernel/limits/semaphore.ts'
import { refreshNextFree } from '#server/search/reindex.ts'
import { searchProviders } from '#server/search/search-providers.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import {
  deletePeople,
  idOf,
  insertPeople,
  type Person,
  type Site,
  siteAt,
} from './search-people.ts'

const DAYS_AHEAD = { today: 1, '3': 4, '14': 15 }
const FAR = Number.POSITIVE_INFINITY

/** Haversine distance in miles. */
function naiveMiles(a: Site, b: Site): number {
  const rad = Math.PI / 180
  const h =
    Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2 +
    Math.cos(a.latitude * rad) *
      Math.cos(b.latitude * rad) *
      Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2
  return 2 * 3958.7613 * Math.asin(Math.sqrt(h))
}

function zoned(instant: number, timeZone: string) {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
}

/** Start times from `now` on at one of a provider's places. */
function freeFrom(person: Person, site: number, now: number): number[] {
  return (person.free ?? [])
    .filter((start) => start >= now && siteAt(person, start) === site)
    .toSorted((a, b) => a - b)
}

/** A provider at one of their places. */
type Entry = { person: Person; site: number; miles: number; next: number }

/** The first two days with times, at most four each, computed directly from the rule. */
function naiveDays({ person, site }: Entry, now: number): FreeDay[] {
  const days = new Map<string, number[]>()
  for (const start of freeFrom(person, site, now)) {
    const date = zoned(start, person.timeZone ?? 'Europe/London')
      .toPlainDate()
      .toString()
    days.set(date, [...(days.get(date) ?? []), start])
  }
  return [...days].slice(0, 2).map(([date, starts]) => ({
    date,
    slots: starts.slice(0, 4).map((start) => ({ startsAt: new Date(start).toISOString() })),
    more: Math.max(0, starts.length - 4),
  }))
}

function fits(filters: SearchFilters, { person, miles, next }: Entry, now: number): boolean {
  const no = filters.specialty === undefined ? null : specialtyBySlug(filters.specialty)?.no
  if (filters.available !== undefined) {
    const end = zoned(now, 'Europe/London')
      .startOfDay()
      .add({ days: DAYS_AHEAD[filters.available] }).epochMilliseconds
    if (next >= end) return false
  }
  return (
    (no === null || no === (person.specialtyNo ?? 1)) &&
    miles <= filters.radius &&
    (filters.fee_max === undefined || (person.fee ?? 60) <= filters.fee_max) &&
    (filters.gender === undefined || person.gender === filters.gender) &&
    (filters.language === undefined || (person.languages ?? ['en']).includes(filters.language)) &&
    (filters.mode !== 'video' || person.video === true)
  )
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)

function orderOf(filters: SearchFilters): (a: Entry, b: Entry) => number {
  const byMiles = (a: Entry, b: Entry) =>
    compare(a.miles, b.miles) || compare(a.person.no, b.person.no)
  const fee = ({ person }: Entry) => person.fee ?? 60
  const name = ({ person }: Entry) => `${person.name ?? `person ${person.no}`} alex`.toLowerCase()
  switch (filters.sort) {
    case 'distance':
      return byMiles
    case 'soonest':
      return (a, b) => compare(a.next, b.next) || byMiles(a, b)
    case 'fee_low':
      return (a, b) => compare(fee(a), fee(b)) || byMiles(a, b)
    case 'fee_high':
      return (a, b) => compare(fee(b), fee(a)) || byMiles(a, b)
    case 'name':
      return (a, b) =>
        name(a) === name(b) ? compare(a.person.no, b.person.no) : name(a) < name(b) ? -1 : 1
  }
}

/** The expected search result, computed by scanning all providers. */
function naiveSearch(people: readonly Person[], filters: SearchFilters, now: number) {
  const centre = { latitude: filters.latitude ?? 0, longitude: filters.longitude ?? 0 }
  const hits = people
    .flatMap((person) => {
      const entries = person.sites.map((at, site) => ({
        person,
        site,
        miles: naiveMiles(centre, at),
        next: freeFrom(person, site, now)[0] ?? FAR,
      }))
      // Each provider at their nearest matching place.
      const [first] = entries
        .filter((entry) => fits(filters, entry, now))
        .toSorted((a, b) => compare(a.miles, b.miles))
      return first ?? []
    })
    .toSorted(orderOf(filters))
  const from = (filters.page - 1) * SEARCH_PAGE_SIZE
  return {
    total: hits.length,
    results: hits.slice(from, from + SEARCH_PAGE_SIZE).map((entry) => ({
      id: idOf(entry.person.no),
      distance: Math.round(entry.miles * 10) / 10,
      nextFree: entry.next === FAR ? null : new Date(entry.next).toISOString(),
      days: naiveDays(entry, now),
    })),
  }
}

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
    'among $what finds, counts and orders exactly like a full scan',
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
