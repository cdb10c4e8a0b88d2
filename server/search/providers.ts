import { LANGUAGES } from '#contract/languages.ts'
import type { Region } from '#contract/region.ts'
import {
  type FilterRemoval,
  MAP_PIN_LIMIT,
  type MapResults,
  type SearchFilters,
  type SearchResults,
  type Specialty,
} from '#contract/search.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { specialties, specialtyBySlug } from '#db/reference/specialties.ts'
import { bookableFrom } from '#server/availability/hours/hours-rules.ts'
import { endOfDayAfter } from '#server/availability/rules.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { cardsOf } from './cards.ts'
import { type Centre, centreOf } from './centre.ts'
import { milesBetween, roundMiles } from './circle.ts'
import { displayName, isoOrNull } from './display.ts'
import { type Area, countInArea, matchesOf, sliceOfPage, widen } from './matches.ts'
import type { Count, MatchFilters } from './matches-store.ts'
import {
  activeFilters,
  isTooFew,
  languageBits,
  pagesOf,
  radiiToTry,
  requiredFeatures,
} from './rules.ts'

/** One page of the providers near a place, widening a radius the visitor did not choose. */
export async function searchProviders(
  ctx: Pick<Context, 'database' | 'now'>,
  filters: SearchFilters,
): Promise<SearchResults> {
  const { db } = ctx.database
  const now = ctx.now()
  const centre = await centreOf(db, filters)
  const reach = await searchAreaOf(db, { filters, centre, now })
  const { radius, total, removals } = reach
  const slice = sliceOfPage(filters.sort, filters.page)
  const matches = await matchesOf(db, reach, slice)
  return {
    place: centre.place,
    radius,
    widened: radius > filters.radius,
    ...(removals.length > 0 && { removals }),
    total,
    page: filters.page,
    pages: pagesOf(total),
    results: await cardsOf(db, matches, { from: centre.point, now }),
  }
}

const NEAREST = {
  shown: 'pin',
  sort: 'distance',
  limit: MAP_PIN_LIMIT,
  offset: 0,
  isExact: true,
} as const

/** The same providers as the list, as points: the nearest few hundred and the exact total. */
export async function searchMap(
  ctx: Pick<Context, 'database' | 'now'>,
  filters: SearchFilters,
): Promise<MapResults> {
  const { db } = ctx.database
  const centre = await centreOf(db, filters)
  const { point, place } = centre
  const reach = await searchAreaOf(db, { filters, centre, now: ctx.now() })
  const matches = await matchesOf(db, reach, NEAREST)
  const pins = matches.map(({ nextFree, ...row }) => ({
    id: row.id,
    name: displayName(row),
    latitude: row.latitude,
    longitude: row.longitude,
    distance: roundMiles(milesBetween(point, row)),
    fee: { minor: row.amount_minor, currency: row.currency },
    nextFree: isoOrNull(nextFree),
  }))
  return { place, radius: reach.radius, total: reach.total, pins }
}

/** The specialties by the names used in a region, sorted by name. */
export function listSpecialities(region: Region): Specialty[] {
  return specialties
    .map(({ slug, name, plural, about }) => ({
      slug,
      name: name[region],
      plural: plural[region],
      about,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

const everySpecialty = specialties.map(({ no }) => no)

/** Days after today that still count, in the time zone of the place searched. */
const DAYS_AHEAD = { today: 0, '3': 3, '14': 14 } as const

function specialtyNos(slug: string | undefined): readonly number[] {
  if (slug === undefined) return everySpecialty
  const specialty = specialtyBySlug(slug)
  if (specialty === undefined) throw new AppError('specialty_unknown')
  return [specialty.no]
}

/** The filters of a search in the terms of the index. */
function matchFilters(
  filters: SearchFilters,
  { now, timeZone }: { now: Instant; timeZone: string },
): MatchFilters {
  const { available, fee_max: feeMax, language } = filters
  return {
    specialtyNos: specialtyNos(filters.specialty),
    features: requiredFeatures(filters),
    languages: language === undefined ? 0 : languageBits(LANGUAGES.filter((l) => l === language)),
    feeMax: feeMax === undefined ? null : feeMax * 100,
    freeBefore:
      available === undefined ? null : endOfDayAfter(timeZone, now, DAYS_AHEAD[available]),
    from: bookableFrom(now),
  }
}

/** The area a search covers, the number of its providers, and which filters leave it so empty. */
export type SearchArea = Area & Count & { removals: FilterRemoval[] }

type AreaInput = {
  filters: SearchFilters
  centre: Pick<Centre, 'point' | 'timeZone'>
  now: Instant
}

/**
 * The number of providers within `radius` miles without each one of the filters: only those that find more.
 */
async function removalsOf(
  db: Db,
  { filters, centre, now }: AreaInput,
  { radius, total }: { radius: number; total: number },
): Promise<FilterRemoval[]> {
  const removals: FilterRemoval[] = []
  for (const filter of activeFilters(filters)) {
    const without = { ...filters, [filter]: undefined }
    const narrowing = matchFilters(without, { now, timeZone: centre.timeZone })
    const found = await countInArea(db, { centre: centre.point, radius, narrowing })
    if (found.total > total) removals.push({ filter, total: found.total })
  }
  return removals.toSorted((a, b) => b.total - a.total)
}

/**
 * The area of a search. When filters leave too few within the requested radius and removing one would help,
 * it keeps that radius and reports what each removal would find; else it widens step by step.
 */
async function searchAreaOf(db: Db, input: AreaInput): Promise<SearchArea> {
  const { filters, centre, now } = input
  const narrowing = matchFilters(filters, { now, timeZone: centre.timeZone })
  const area = { centre: centre.point, narrowing }
  const [nearest, ...wider] = radiiToTry(filters)
  const near = await widen(db, { ...area, radii: [nearest ?? filters.radius] })
  if (!isTooFew(near.total)) return { ...area, ...near, removals: [] }
  const removals = await removalsOf(db, input, near)
  if (removals.length > 0 || wider.length === 0) return { ...area, ...near, removals }
  const reached = await widen(db, { ...area, radii: wider })
  const isFew = isTooFew(reached.total)
  return { ...area, ...reached, removals: isFew ? await removalsOf(db, input, reached) : [] }
}
