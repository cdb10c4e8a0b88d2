import { SEARCH_PAGE_SIZE } from '#contract/base/paging.ts'
import { type Gender, LANGUAGES } from '#contract/base/people.ts'
import type { Region } from '#contract/base/region.ts'
import {
  NARROWING_FILTERS,
  type NarrowingFilter,
  RADII,
  type SearchFilters,
  VisitMode,
  WIDEN_BELOW,
} from '#contract/search.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'

/** Bits of `search_index.features`. Stored, so append only. */
const featureBits = {
  in_person: 1,
  video: 2,
  female: 4,
  male: 8,
  non_binary: 16,
  uk: 32,
  usa: 64,
} as const satisfies Record<VisitMode | Gender | Region, number>

type Described = Pick<ProviderRow, 'gender' | 'region' | 'offers_in_person' | 'offers_video'>

/** A provider's features as bits, to match against those a search requires. */
export function featuresOf(provider: Described): number {
  return (
    featureBits[provider.region] |
    (provider.gender === null ? 0 : featureBits[provider.gender]) |
    (provider.offers_in_person === 1 ? featureBits.in_person : 0) |
    (provider.offers_video === 1 ? featureBits.video : 0)
  )
}

/** The modes among a provider's feature bits. */
export function modesOfFeatures(features: number): VisitMode[] {
  return VisitMode.options.filter((mode) => (features & featureBits[mode]) !== 0)
}

/** Languages as bits, by their position in the contract. Codes not in the contract have none. */
export function languageBits(codes: readonly string[]): number {
  return LANGUAGES.reduce((bits, code, n) => (codes.includes(code) ? bits | (1 << n) : bits), 0)
}

type Filtering = Pick<
  SearchFilters,
  'gender' | 'mode' | 'latitude' | 'longitude' | 'selectedRegion'
>

/** All of the UK lies well inside these degrees, and nothing of the USA comes near them. */
const AROUND_UK = { south: 47, north: 63, west: -12, east: 5 }

/** Whether a point chosen freely lies where no circle around it can reach places of the region. */
function isAbroad({ latitude, longitude, selectedRegion }: Filtering): boolean {
  if (latitude === undefined || longitude === undefined) return false
  const { south, north, west, east } = AROUND_UK
  const isAroundUk = latitude > south && latitude < north && longitude > west && longitude < east
  return isAroundUk !== (selectedRegion === 'uk')
}

/** The feature bits a search requires. The region is included only where it could differ. */
export function requiredFeatures(filters: Filtering): number {
  return (
    (filters.gender === undefined ? 0 : featureBits[filters.gender]) |
    (filters.mode === undefined ? 0 : featureBits[filters.mode]) |
    (isAbroad(filters) ? featureBits[filters.selectedRegion] : 0)
  )
}

type Complete = Pick<
  ProviderRow,
  'about' | 'qualifications' | 'languages' | 'offers_in_person' | 'offers_video' | 'first_name'
> & { consultation_minutes: number }

/** Whether a profile is complete enough to be listed: name, specialty, training and languages. */
export function isComplete(provider: Complete): boolean {
  return (
    provider.first_name.trim() !== '' &&
    provider.about.trim() !== '' &&
    provider.qualifications !== '[]' &&
    provider.languages !== '[]' &&
    provider.consultation_minutes > 0 &&
    (provider.offers_in_person === 1 || provider.offers_video === 1)
  )
}

/** Sort key of a name: last, then first, ignoring case and accents, the same on every engine. */
export function nameKey(provider: { first_name: string; last_name: string }): string {
  return `${provider.last_name} ${provider.first_name}`
    .trim()
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .slice(0, 80)
}

/** Widening stops at ten times the requested radius. */
const WIDEST_TIMES = 10

/** The radii to try in turn: the chosen one only, or wider and wider ones up to ten times the request. */
export function radiiToTry(filters: Pick<SearchFilters, 'radius' | 'distance_filter_clicked'>) {
  if (filters.distance_filter_clicked) return [filters.radius]
  const { radius: requested } = filters
  return RADII.filter((radius) => radius >= requested && radius <= requested * WIDEST_TIMES)
}

/** The filters that a search sets, in the order of the contract. */
export function activeFilters(filters: Pick<SearchFilters, NarrowingFilter>): NarrowingFilter[] {
  return NARROWING_FILTERS.filter((filter) => filters[filter] !== undefined)
}

/** Whether a search found so little that it should look further. */
export function isTooFew(total: number): boolean {
  return total < WIDEN_BELOW
}

/** Number of pages for a total; an empty result has one page, so that "page 1 of 1" can be shown. */
export function pagesOf(total: number): number {
  return Math.max(1, Math.ceil(total / SEARCH_PAGE_SIZE))
}

/** Below this many hits the whole circle is cheaper than guessing a smaller one. */
const SMALL_TOTAL = 60
/**
 * Providers are denser near towns than further out: aiming for twice as many, 19 of 20 first tries suffice.
 */
const OVERSHOOT = 2

/**
 * The radius that probably holds the `needed` nearest of `total` matches, by area. The caller checks, and
 * grows it by `GROWTH` when it does not.
 */
export function likelyRadius(radius: number, total: number, needed: number): number {
  if (total <= SMALL_TOTAL) return radius
  return radius * Math.min(1, Math.sqrt((OVERSHOOT * needed) / total))
}

export const GROWTH = 2.5

/** Coordinates leave the server with three decimals, about 110 m: enough for a map. */
export function roundCoordinate(degrees: number): number {
  return Math.round(degrees * 1_000) / 1_000
}
