import { useRouterState } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { Fragment } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatRadius } from '#app/lib/format/places.ts'
import { midSentence } from '#app/lib/format/words.ts'
import { ALL_PROVIDERS } from '#app/parts/use-specialities.ts'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { LiveRegion, PageTitle } from '#app/ui/page.tsx'
import { numberFormat } from '#contract/base/intl.ts'
import type { Region } from '#contract/base/region.ts'
import {
  type SearchFilters,
  type SearchResults,
  type Sort,
  searchErrorMessage,
} from '#contract/search.ts'
import {
  AppliedChips,
  type AppliedFilter,
  appliedFilters,
  choose,
  type FilterKey,
} from './filters.tsx'
import { hasPlace, type ResultsSearch, refusedCodes, withFilters } from './results-search.ts'

type HeadingProps = {
  search: ResultsSearch
  filters: SearchFilters
  people: string
  /** The results shown; undefined while there are none or after an error. */
  results: SearchResults | undefined
  onChange: ChangeSearch
  /** Another search is loading; these are the previous results. */
  isStale: boolean
  /** The search failed; the reason is shown below. */
  isFailed: boolean
  /** Takes focus after a change of page. */
  headingId: string
}

/** "Dentists near SE1 6ET", how many, and what to know about the search. */
export function ResultsHeading(props: HeadingProps) {
  const { search, filters, people, results, onChange, headingId, isStale, isFailed } = props
  const title =
    hasPlace(filters) && !isFailed
      ? resultsHeading(people, results?.place ?? filters.postcode)
      : filters.specialty && !isFailed
        ? `${people} near you`
        : 'Find a doctor or dentist'
  const region = filters.selectedRegion
  const refused = refusedCodes(search)
  return (
    <div className="flex flex-col gap-2">
      <PageTitle title={title} />
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h1 id={headingId} tabIndex={-1} className="text-xl font-semibold md:text-2xl">
          {title}
        </h1>
        {results && (
          <div className="flex flex-wrap gap-x-3 text-muted">
            <p className={cx('tabular', isStale && 'opacity-50')}>{countLine(results)}</p>
            {/* Delayed, so that quick responses skip it; screen readers get the announcement below. */}
            <p
              aria-hidden="true"
              className={cx('transition-opacity', isStale ? 'delay-200' : 'opacity-0')}
            >
              Searching…
            </p>
          </div>
        )}
      </div>
      <LiveRegion text={isStale ? 'Searching' : results ? announcement(results, people) : ''} />
      {refused.length > 0 && (
        <Notice kind="warn" role="status" title="Part of this link didn’t work">
          {refused.map((code) => (
            <p key={code}>{searchErrorMessage(code, { region })}</p>
          ))}
        </Notice>
      )}
      {!hasPlace(filters) && !refused.includes('place_invalid') && (
        <p className="max-w-prose text-lg text-muted">
          {searchErrorMessage('place_missing', { region })}
        </p>
      )}
      {/* Where there are none, the message in the list says how far was searched. */}
      {results?.widened && results.total > 0 && (
        <Notice kind="info" role="status">
          <p>{widenedSentence(results, filters, people)}</p>
        </Notice>
      )}
      {/* While others load, the results are not those of the filters. */}
      {results && !isStale && (
        <FilterNotices
          search={search}
          region={region}
          results={results}
          people={people}
          onChange={onChange}
        />
      )}
      {results?.place.insteadOf !== undefined && (
        <Notice kind="info" role="status">
          <p>
            We couldn’t find “{results.place.insteadOf}”. Showing results for {results.place.label}.
          </p>
        </Notice>
      )}
      {results?.place.others !== undefined && (
        <p className="max-w-prose text-sm">
          <span className="text-muted">Looking for a different {results.place.label}? </span>
          {results.place.others.map((other, at) => (
            <Fragment key={other}>
              {at > 0 && ' · '}
              <button
                type="button"
                className={textLinkClass}
                onClick={() => onChange(withFilters(search, { postcode: other }))}
              >
                {other}
              </button>
            </Fragment>
          ))}
        </p>
      )}
      {results?.place.isApproximate && (
        <p className="max-w-prose text-sm text-muted">{approximateSentence(results.place)}</p>
      )}
      {!isFailed && <AppliedChips search={search} region={region} onChange={onChange} />}
    </div>
  )
}

/** "How results are ordered": what decides who comes first, and what does not. */
export function OrderingNote({ sort }: { sort: Sort }) {
  return (
    <details className="group text-sm">
      <summary className="inline-flex min-h-6 list-none items-center gap-1 rounded-field font-medium text-brand-deep pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        How results are ordered
        <ChevronDown
          aria-hidden="true"
          className="size-4 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <p className="mt-1 max-w-prose text-muted">
        {sortSentences[sort]} Only providers found on their professional register are listed. Nobody
        can pay to rank higher.
      </p>
    </details>
  )
}

/** A filter just removed by one press, to be named and put back. */
export type RemovedFilter = { key: FilterKey; value: string; label: string }

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The filter whose removal led to this search. */
    removedFilter?: RemovedFilter
  }
}

/** Goes to another search; `removed` is the filter that the page there says was removed. */
export type ChangeSearch = (search: ResultsSearch, removed?: RemovedFilter) => void

type CostlyFilter = { applied: AppliedFilter; total: number }

/** The applied filter whose removal adds most results, as counted by the server; none if none would. */
export function costliestFilter(
  search: ResultsSearch,
  region: Region,
  results: SearchResults,
): CostlyFilter | undefined {
  const applied = appliedFilters(search, region)
  const [first] = (results.removals ?? []).flatMap(({ filter, total }) => {
    const one = applied.find(({ key }) => key === filter)
    return one === undefined ? [] : [{ applied: one, total }]
  })
  return first
}

type RemoveFilterProps = { search: ResultsSearch; costly: CostlyFilter; onChange: ChangeSearch }

/** Removes the filter that hides most results; its label says which. */
export function RemoveFilterButton({ search, costly, onChange }: RemoveFilterProps) {
  const { key, label, without } = costly.applied
  if (key === 'point') return null
  return (
    <Button
      onClick={() => onChange(without, { key, label, value: String(search[key] ?? '') })}
      className="h-auto py-2"
    >
      Remove “{label}”
    </Button>
  )
}

type FilterNoticesProps = {
  search: ResultsSearch
  region: Region
  results: SearchResults
  people: string
  onChange: ChangeSearch
}

/**
 * With few matches: how many one filter hides. After its removal: which it was, what that found, and an undo.
 */
function FilterNotices(props: FilterNoticesProps) {
  const { search, region, results, people, onChange } = props
  const removed = useRouterState({ select: ({ location }) => location.state.removedFilter })
  const costly = results.total === 0 ? undefined : costliestFilter(search, region, results)
  return (
    <>
      {removed && search[removed.key] === undefined && (
        <Notice kind="info" role="status">
          <p>
            {restoreSentence(results, removed.label, people)}{' '}
            <button
              type="button"
              className={`${textLinkClass} min-h-6`}
              onClick={() => onChange(choose(search, removed.key, removed.value))}
            >
              Undo
            </button>
          </p>
        </Notice>
      )}
      {costly && (
        <Notice kind="info" role="status">
          <p className="mb-3">
            {fewSentence(results, { people, ...costly, label: costly.applied.label })}
          </p>
          <RemoveFilterButton search={search} costly={costly} onChange={onChange} />
        </Notice>
      )}
    </>
  )
}

/** "No dentists within 10 miles", or "No dentists match your filters" where the filters are the reason. */
export function noResultsTitle(people: string, miles: number, isFiltered: boolean): string {
  const who = people === ALL_PROVIDERS ? 'doctors or dentists' : midSentence(people)
  return isFiltered ? `No ${who} match your filters` : `No ${who} ${formatRadius(miles)}`
}

type Searched = Pick<SearchResults, 'total' | 'radius' | 'place'>

function centreOf(place: SearchResults['place']): string {
  return place.level === 'point' ? 'the point you chose' : place.label
}

/** "within 10 miles of SE1 6ET": how far was searched, and around what. */
function whereSearched({ radius, place }: Omit<Searched, 'total'>): string {
  return `${formatRadius(radius)} of ${centreOf(place)}`
}

/** How far was searched in vain, and whether that is further than requested. */
export function searchedSentence(results: Omit<Searched, 'total'> & { widened: boolean }): string {
  const { radius, place, widened } = results
  return widened
    ? `We widened the search to ${radius} miles around ${centreOf(place)}.`
    : `We searched ${whereSearched(results)}.`
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
  const who = results.total === 1 ? 'match' : midSentence(people)
  return `We removed “${label}” and found ${countText(results.total)} ${who} ${whereSearched(results)}.`
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
const sortSentences: Record<Sort, string> = {
  distance: 'Nearest first, measured in a straight line to where the visit takes place.',
  soonest: 'Soonest free time first, then nearest.',
  fee_low: 'Lowest first-visit fee first, then nearest.',
  fee_high: 'Highest first-visit fee first, then nearest.',
  name: 'By name, from A to Z.',
}
