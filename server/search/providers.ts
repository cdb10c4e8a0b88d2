import type { Region } from '#contract/region.ts'
import {
  MAP_PIN_LIMIT,
  type MapResults,
  type SearchFilters,
  type SearchResults,
  type Specialty,
} from '#contract/search.ts'
import { specialties } from '#db/reference/specialties.ts'
import type { Context } from '#server/context.ts'
import { cardsOf } from './cards.ts'
import { centreOf } from './centre.ts'
import { milesBetween, roundMiles } from './circle.ts'
import { matchesOf, sliceOfPage } from './matches.ts'
import { reachOf } from './reach.ts'
import { pagesOf } from './rules.ts'
import { isoOrNull, shownName } from './shown.ts'

/** One page of the providers near a place, widening a radius that nobody chose. */
export async function searchProviders(
  ctx: Pick<Context, 'database' | 'now'>,
  filters: SearchFilters,
): Promise<SearchResults> {
  const { db } = ctx.database
  const now = ctx.now()
  const centre = await centreOf(db, filters)
  const reach = await reachOf(db, { filters, centre, now })
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
  const reach = await reachOf(db, { filters, centre, now: ctx.now() })
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

/** The specialties as people of a region call them, by name. */
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
