import { RADII, type SearchFilters } from '#contract/search.ts'

/** The smallest radius on offer that covers a circle of so many miles, or the largest there is. */
export function coveringRadius(miles: number): SearchFilters['radius'] {
  return RADII.find((radius) => radius >= miles) ?? 50
}
