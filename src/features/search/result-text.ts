import { formatRadius, midSentence } from '#app/lib/format.ts'
import { ALL_PROVIDERS } from '#app/parts/use-specialities.ts'
import { numberFormat } from '#contract/intl.ts'
import type { SearchFilters, SearchResults, Sort } from '#contract/search.ts'

/** "No dentists within 10 miles", "No doctors or dentists within 10 miles". */
export function noResultsTitle(people: string, miles: number): string {
  const who = people === ALL_PROVIDERS ? 'doctors or dentists' : midSentence(people)
  return `No ${who} ${formatRadius(miles)}`
}

type Searched = Pick<SearchResults, 'total' | 'radius' | 'place'>

/** "within 10 miles of SE1 6ET": how far was searched, and around what. */
export function whereSearched({ radius, place }: Omit<Searched, 'total'>): string {
  return place.level === 'point'
    ? `${formatRadius(radius)} of the point you chose`
    : `${formatRadius(radius)} of ${place.label}`
}

function countText(total: number): string {
  return total === 0 ? 'none' : numberFormat('en-GB').format(total)
}

/** How many a filter hides if it leaves no results: "Without “Video” there are 14." */
export function costSentence(
  results: Searched,
  { label, total }: { label: string; total: number },
) {
  const found = `there ${total === 1 ? 'is' : 'are'} ${countText(total)}`
  return `We searched ${whereSearched(results)}. Without “${label}” ${found}.`
}

/** How many a filter hides if it leaves few results. */
export function fewSentence(
  results: Searched,
  { people, label, total }: { people: string; label: string; total: number },
): string {
  const few = `Only ${results.total} ${results.total === 1 ? 'matches' : 'match'} your filters ${whereSearched(results)}.`
  return `${few} Without “${label}” you’d see ${countText(total)} ${midSentence(people)}.`
}

/** What removing a filter has found. */
export function restoreSentence(results: Searched, label: string, people: string): string {
  return `We removed “${label}” and found ${countText(results.total)} ${midSentence(people)} ${whereSearched(results)}.`
}

/** The heading of the results: "Dentists near SE1 6ET". */
export function resultsHeading(people: string, place: SearchResults['place'] | string): string {
  if (typeof place === 'string') return place === '' ? people : `${people} near ${place}`
  if (place.level === 'point') return `${people} in the area you chose`
  return `${people} near ${place.label}`
}

/** How many and how far: "23 within 5 miles". */
export function countLine(results: Pick<SearchResults, 'total' | 'radius'>): string {
  const total = results.total === 0 ? 'None' : numberFormat('en-GB').format(results.total)
  return `${total} ${formatRadius(results.radius)}`
}

/** Announced to screen readers when new results are shown. */
export function announcement(results: SearchResults, people: string): string {
  const heading = resultsHeading(people, results.place)
  const found = `${heading}: ${countLine(results).toLowerCase()}`
  return results.pages > 1 ? `${found}, page ${results.page} of ${results.pages}` : found
}

/** Why the radius is larger than requested; filters may be the reason. */
export function widenedSentence(results: SearchResults, filters: SearchFilters, people: string) {
  const { available, fee_max, language, gender, mode } = filters
  const isFiltered = [available, fee_max, language, gender, mode].some((one) => one !== undefined)
  const few = `fewer than 3 ${midSentence(people)}`
  const why = isFiltered
    ? `${few} ${formatRadius(filters.radius)} match your filters`
    : `${few} are ${formatRadius(filters.radius)}`
  return `We widened the search to ${results.radius} miles because ${why}.`
}

/** How precisely the place is known, if it is not exact. */
export function approximateSentence(place: SearchResults['place']): string {
  if (place.standsIn !== undefined && place.standsIn !== place.label) {
    return `We don’t know exactly where ${place.label} is, so distances are measured from the middle of ${place.standsIn}.`
  }
  const around = place.level === 'place' ? '' : 'the area around '
  return `Distances are approximate: they are measured from the middle of ${around}${place.label}.`
}

/** The sort orders, as options of a select without a visible label. */
export const sortLabels: Record<Sort, string> = {
  distance: 'Nearest first',
  soonest: 'Soonest first',
  fee_low: 'Lowest fee first',
  fee_high: 'Highest fee first',
  name: 'Name, A to Z',
}

/** What each sort order means. */
export const sortSentences: Record<Sort, string> = {
  distance: 'Nearest first, measured in a straight line to where the visit takes place.',
  soonest: 'Soonest free time first, then nearest.',
  fee_low: 'Lowest first-visit fee first, then nearest.',
  fee_high: 'Highest first-visit fee first, then nearest.',
  name: 'By name, from A to Z.',
}
