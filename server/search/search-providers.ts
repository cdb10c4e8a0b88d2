import type { Done } from '#contract/base/done.ts'
import { SEARCH_PAGE_SIZE } from '#contract/base/paging.ts'
import { LANGUAGES } from '#contract/base/people.ts'
import { shownName } from '#contract/base/person-names.ts'
import type { Region } from '#contract/base/region.ts'
import {
  type FilterRemoval,
  type LocatedPlace,
  type LocateInput,
  MAP_PIN_LIMIT,
  type MapResults,
  type ProveInput,
  RADII,
  type SearchFilters,
  type SearchPlace,
  type SearchResults,
  type Sort,
  type Specialty,
} from '#contract/search.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { findNearestCode, findPlace, zoneAt } from '#db/geo/lookup.ts'
import type { Point } from '#db/geo/points.ts'
import { specialties, specialtyBySlug } from '#db/reference/specialties.ts'
import { bookableFrom } from '#server/availability/hours/hours-rules.ts'
import { endOfDayAfter } from '#server/availability/rules.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { LIFT_MS } from '#server/kernel/limits/rate-limit.ts'
import { consumeCaptcha } from '#server/kernel/security/captcha.ts'
import { cardsOf, isoOrNull } from './cards.ts'
import { circleAround, milesBetween, roundMiles } from './circle.ts'
import {
  type Count,
  countMatches,
  listMatches,
  type Match,
  type MatchFilters,
  type Slice,
} from './matches-store.ts'
import {
  activeFilters,
  GROWTH,
  isTooFew,
  languageBits,
  likelyRadius,
  pagesOf,
  radiiToTry,
  requiredFeatures,
  roundCoordinate,
} from './rules.ts'
import type { Shown } from './store.ts'

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
  const nextRadius = total === 0 ? await nextRadiusOf(db, reach) : undefined
  return {
    place: centre.place,
    radius,
    widened: radius > filters.radius,
    ...(removals.length > 0 && { removals }),
    ...(nextRadius !== undefined && { nextRadius }),
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
    name: shownName(row),
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
    mode: filters.mode ?? null,
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

/** The next radius that finds anyone: the one after that of an empty area may well be as empty. */
async function nextRadiusOf(db: Db, area: SearchArea): Promise<SearchResults['nextRadius']> {
  for (const radius of RADII.filter((miles) => miles > area.radius)) {
    const { total } = await countInArea(db, { ...area, radius })
    if (total > 0) return radius
  }
  return undefined
}

/** The centre of a search: the exact point for internal use, the rounded one for the response. */
type Centre = { point: Point; timeZone: string; place: SearchPlace }

type CentreInput = Pick<SearchFilters, 'selectedRegion' | 'postcode' | 'latitude' | 'longitude'>

/** A point of the map, when one was sent; half a point is refused. */
function pointOf({ latitude, longitude }: CentreInput): Point | null {
  if (latitude === undefined && longitude === undefined) return null
  if (latitude === undefined || longitude === undefined) throw new AppError('coordinates_invalid')
  return { latitude, longitude }
}

function rounded({ latitude, longitude }: Point): Point {
  return { latitude: roundCoordinate(latitude), longitude: roundCoordinate(longitude) }
}

function centreAt(point: Point, { selectedRegion, postcode }: CentreInput): Centre {
  const shown = rounded(point)
  const label = postcode.trim()
  return {
    point,
    timeZone: zoneAt(selectedRegion, point.latitude, point.longitude),
    place: {
      label: label === '' ? `${shown.latitude}, ${shown.longitude}` : label,
      level: 'point',
      isApproximate: false,
      ...shown,
    },
  }
}

function codeDetails({ code, near }: { code: string; near?: string }, region: Region) {
  return near === undefined ? { code, region } : { code, region, near }
}

/** The centre of a search; throws an `AppError` with one of the place codes when there is none. */
async function centreOf(db: Db, input: CentreInput): Promise<Centre> {
  const point = pointOf(input)
  if (point !== null) return centreAt(point, input)
  const region = input.selectedRegion
  const answer = await findPlace(db, region, input.postcode)
  switch (answer.kind) {
    case 'found': {
      const found = { latitude: answer.lat, longitude: answer.lon }
      const { label, level, isApproximate, timeZone, others, insteadOf, standsIn } = answer
      const doubts = {
        ...(others !== undefined && others.length > 0 && { others }),
        ...(insteadOf !== undefined && { insteadOf }),
        ...(standsIn !== undefined && { standsIn }),
      }
      const place = { label, level, isApproximate, ...rounded(found), ...doubts }
      return { point: found, timeZone, place }
    }
    case 'empty':
      throw new AppError('place_missing', { region })
    case 'invalid':
      throw new AppError('place_invalid', { region })
    case 'unknown_code':
      throw new AppError('postcode_unknown', codeDetails(answer, region))
    case 'unknown_place':
      throw new AppError('place_unknown', {
        text: answer.text,
        region,
        ...(answer.near !== undefined && { near: answer.near }),
      })
    case 'no_place':
      throw new AppError('postcode_without_place', codeDetails(answer, region))
    case 'military':
      throw new AppError('postcode_military', { code: answer.code, region })
    case 'other_region':
      throw new AppError('place_in_other_region', {
        label: answer.label,
        region,
        otherRegion: answer.region,
      })
  }
}

/** A circle in miles and the filters on its providers. */
type Area = { centre: Point; radius: number; narrowing: MatchFilters }

/**
 * One slice of the `total` providers of an area. The nearest are searched in a circle that probably holds
 * them, which grows until the slice is full, so the result is exact.
 */
export async function matchesOf<S extends keyof Shown>(
  db: Db,
  area: Area & Count,
  slice: Slice<S>,
): Promise<(Match & Shown[S])[]> {
  const { centre, narrowing, total } = area
  const hasRepeats = area.repeats > 0
  const expected = Math.min(slice.limit, total - slice.offset)
  if (expected <= 0) return []
  const isByDistance = slice.sort === 'distance'
  let radius = isByDistance
    ? likelyRadius(area.radius, total, slice.offset + expected)
    : area.radius
  for (;;) {
    const circle = circleAround(centre, radius)
    const found = await listMatches(db, circle, { narrowing, slice, hasRepeats })
    if (found.length >= expected || radius >= area.radius) return found
    radius = Math.min(area.radius, radius * GROWTH)
  }
}

/** How many providers an area holds, exactly. */
export function countInArea(db: Db, { centre, radius, narrowing }: Area): Promise<Count> {
  return countMatches(db, circleAround(centre, radius), narrowing)
}

type Widening = Omit<Area, 'radius'> & { radii: readonly number[] }

/** Tries the radii in turn until enough is found; the last one is used in any case. */
async function widen(db: Db, { radii, ...area }: Widening) {
  let reached = { radius: radii[0] ?? 0, total: 0, repeats: 0 }
  for (const radius of radii) {
    reached = { radius, ...(await countInArea(db, { ...area, radius })) }
    if (!isTooFew(reached.total)) break
  }
  return reached
}

/** The slice of the index that a page shows. */
export function sliceOfPage(sort: Sort, page: number): Slice<'card'> {
  return {
    shown: 'card',
    sort,
    limit: SEARCH_PAGE_SIZE,
    offset: (page - 1) * SEARCH_PAGE_SIZE,
    isExact: sort === 'soonest',
  }
}

/**
 * The nearest postcode sector or ZIP code of a point, to type into a search. The point itself is neither
 * stored nor logged. Throws `location_outside` far from both regions.
 */
export async function locate(
  ctx: Pick<Context, 'database'>,
  point: LocateInput,
): Promise<LocatedPlace> {
  const nearest = await findNearestCode(ctx.database.db, point)
  if (nearest === null) throw new AppError('location_outside')
  return { selectedRegion: nearest.region, postcode: nearest.code }
}

/** Lets a network that has exhausted its search limit continue after solving a challenge. */
export async function prove(ctx: Context, input: ProveInput): Promise<Done> {
  await consumeCaptcha(ctx, input.captchaValue)
  // Another process may handle the next search.
  await ctx.transaction((tx) => tx.attempts.keepProof(ctx.network, ctx.now() + LIFT_MS))
  ctx.limiter.lift(ctx.network, LIFT_MS)
  return { status: true }
}
