import type { SearchFilters, SearchResults } from '#contract/search.ts'
import type { Context } from '#server/context.ts'
import { cardsOf } from './cards.ts'
import { centreOf } from './centre.ts'
import { matchesOf, sliceOfPage, widen } from './matches.ts'
import { narrowingOf } from './narrowing.ts'
import { pagesOf, radiiToTry } from './rules.ts'

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
