import { SEARCH_PAGE_SIZE } from '#contract/paging.ts'
import type { Sort } from '#contract/search.ts'
import type { Db } from '#db/engine.ts'
import { circleAround, type Point } from './circle.ts'
import {
  type Count,
  countMatches,
  listMatches,
  type Match,
  type MatchFilters,
  type Slice,
} from './matches-store.ts'
import { GROWTH, isTooFew, likelyRadius } from './rules.ts'
import type { Shown } from './store.ts'

/** A circle in miles and the filters on its providers. */
export type Area = { centre: Point; radius: number; narrowing: MatchFilters }

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
export async function widen(db: Db, { radii, ...area }: Widening) {
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
