import type { FilterRemoval, SearchFilters } from '#contract/search.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Centre } from './centre.ts'
import { type Area, totalOf, widen } from './matches.ts'
import type { Count } from './matches-store.ts'
import { narrowingOf } from './narrowing.ts'
import { filtersSet, isTooFew, radiiToTry } from './rules.ts'

/** The area that answers a search, how many it holds, and which filters leave it so empty. */
export type Reach = Area & Count & { removals: FilterRemoval[] }

type Asked = { filters: SearchFilters; centre: Pick<Centre, 'point' | 'timeZone'>; now: Instant }

/** What each removal of one filter would find within `radius` miles: only those that find more. */
async function removalsOf(
  db: Db,
  { filters, centre, now }: Asked,
  { radius, total }: { radius: number; total: number },
): Promise<FilterRemoval[]> {
  const removals: FilterRemoval[] = []
  for (const filter of filtersSet(filters)) {
    const without = { ...filters, [filter]: undefined }
    const narrowing = narrowingOf(without, { now, timeZone: centre.timeZone })
    const found = await totalOf(db, { centre: centre.point, radius, narrowing })
    if (found.total > total) removals.push({ filter, total: found.total })
  }
  return removals.toSorted((a, b) => b.total - a.total)
}

/**
 * How far a search goes. Where filters leave too few within the radius asked for and a removal of one
 * would help, it stays there and says what each removal would find; else it widens step by step.
 */
export async function reachOf(db: Db, asked: Asked): Promise<Reach> {
  const { filters, centre, now } = asked
  const narrowing = narrowingOf(filters, { now, timeZone: centre.timeZone })
  const area = { centre: centre.point, narrowing }
  const [nearest, ...wider] = radiiToTry(filters)
  const near = await widen(db, { ...area, radii: [nearest ?? filters.radius] })
  if (!isTooFew(near.total)) return { ...area, ...near, removals: [] }
  const removals = await removalsOf(db, asked, near)
  if (removals.length > 0 || wider.length === 0) return { ...area, ...near, removals }
  const reached = await widen(db, { ...area, radii: wider })
  const isFew = isTooFew(reached.total)
  return { ...area, ...reached, removals: isFew ? await removalsOf(db, asked, reached) : [] }
}
