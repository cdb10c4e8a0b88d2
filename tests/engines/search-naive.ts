import { SEARCH_PAGE_SIZE } from '#contract/paging.ts'
import type { FreeDay, SearchFilters } from '#contract/search.ts'
import { specialtyBySlug } from '#db/reference/specialties.ts'
import { idOf, type Person, type Site, siteAt } from './search-people.ts'

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
export function naiveSearch(people: readonly Person[], filters: SearchFilters, now: number) {
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
