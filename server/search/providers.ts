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
import { matchesOf, sliceOfPage, widen } from './matches.ts'
import { narrowingOf } from './narrowing.ts'
import { pagesOf, radiiToTry } from './rules.ts'
import { isoOrNull, shownName } from './shown.ts'
import { listPinRows } from './store.ts'

/** One page of the providers near a place, widening a radius that nobody chose. */
export async function searchProviders(
  ctx: Pick<Context, 'database' | 'now'>,
  filters: SearchFilters,
): Promise<SearchResults> {
  const { db } = ctx.database
  const now = ctx.now()
  const { point, timeZone, place } = await centreOf(db, filters)
  const narrowing = narrowingOf(filters, { now, timeZone })
  const area = { centre: point, narrowing }
  const reached = await widen(db, { ...area, radii: radiiToTry(filters) })
  const { radius, total } = reached
  const slice = sliceOfPage(filters.sort, filters.page)
  const matches = await matchesOf(db, { ...area, ...reached }, slice)
  return {
    place,
    radius,
    widened: radius > filters.radius,
    total,
    page: filters.page,
    pages: pagesOf(total),
    results: await cardsOf(db, matches, { from: point, now }),
  }
}

const NEAREST = { sort: 'distance', limit: MAP_PIN_LIMIT, offset: 0, isExact: true } as const

/** The same providers as the list, as points: the nearest few hundred and the exact total. */
export async function searchMap(
  ctx: Pick<Context, 'database' | 'now'>,
  filters: SearchFilters,
): Promise<MapResults> {
  const { db } = ctx.database
  const { point, timeZone, place } = await centreOf(db, filters)
  const narrowing = narrowingOf(filters, { now: ctx.now(), timeZone })
  const area = { centre: point, narrowing }
  const reached = await widen(db, { ...area, radii: radiiToTry(filters) })
  const matches = await matchesOf(db, { ...area, ...reached }, NEAREST)
  const rows = await listPinRows(
    db,
    matches.map(({ placeNo }) => placeNo),
  )
  const byPlace = new Map(rows.map((row) => [row.no, row]))
  const pins = matches.flatMap(({ placeNo, nextFree }) => {
    const row = byPlace.get(placeNo)
    if (row === undefined) return []
    return {
      id: row.id,
      name: shownName(row),
      latitude: row.latitude,
      longitude: row.longitude,
      distance: roundMiles(milesBetween(point, row)),
      fee: { minor: row.amount_minor, currency: row.currency },
      nextFree: isoOrNull(nextFree),
    }
  })
  return { place, radius: reached.radius, total: reached.total, pins }
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
