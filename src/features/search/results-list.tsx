import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { cx } from '#app/lib/cx.ts'
import type { Failure } from '#app/lib/errors.ts'
import { midSentence } from '#app/lib/format/words.ts'
import { late } from '#app/lib/late-code.ts'
import { ProviderCard } from '#app/parts/provider-card.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState, ErrorState } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { type Region, regionFacts } from '#contract/base/region.ts'
import type { SearchFilters, SearchResults } from '#contract/search.ts'
import { type AppliedFilter, appliedFilters, withoutFilters } from './filters.tsx'
import {
  type ChangeSearch,
  costliestFilter,
  costSentence,
  noResultsTitle,
  OrderingNote,
  RemoveFilterButton,
  searchedSentence,
} from './results-heading.tsx'
import { type ResultsSearch, withFilters } from './results-search.ts'
import { numberOf } from './use-results.ts'

type ResultsListProps = {
  search: ResultsSearch
  filters: SearchFilters
  results: SearchResults
  /** Another search is loading; these are the previous results. */
  isStale: boolean
  highlightedId: string | null
  onPoint: (id: string | null) => void
}

/** The DOM id of a result's card, so that the map can scroll it into view. */
export function cardDomId(id: string): string {
  return `result-${id}`
}

/** One page of results in order, and the pagination. */
function ResultsList(props: ResultsListProps) {
  const { search, filters, results, isStale, highlightedId, onPoint } = props
  const region = filters.selectedRegion
  return (
    <div className="flex flex-col gap-6">
      <ol
        aria-label="Results"
        aria-busy={isStale}
        start={numberOf(results, 0)}
        className={cx(
          'flex flex-col gap-3 transition-opacity duration-150',
          isStale && 'opacity-50',
        )}
      >
        {results.results.map((card, at) => (
          <li key={card.id} id={cardDomId(card.id)}>
            <ProviderCard
              card={card}
              region={region}
              number={numberOf(results, at)}
              isHighlighted={card.id === highlightedId}
              onPoint={(isPointed) => onPoint(isPointed ? card.id : null)}
              isEager={at < 3}
            />
          </li>
        ))}
      </ol>
      <OrderingNote sort={filters.sort} />
      <Pagination
        page={results.page}
        pages={results.pages}
        renderLink={(page, link) => (
          <Link
            to="/results"
            search={{ ...search, page: page === 1 ? undefined : page }}
            {...link}
          />
        )}
      />
    </div>
  )
}

type FoundListProps = {
  search: ResultsSearch
  filters: SearchFilters
  results: SearchResults
  people: string
  isStale: boolean
  highlightedId: string | null
  onPoint: (id: string | null) => void
  onChange: ChangeSearch
}

/** The list, or a message if there are no results or no such page. */
export function FoundList(props: FoundListProps) {
  const { search, filters, results, people, isStale, onChange } = props
  const region = filters.selectedRegion
  // The message would combine the new filters with the old results.
  if (isStale && results.results.length === 0) return <ResultsSkeleton />
  if (results.total === 0) {
    return (
      <ResultsEmpty
        search={search}
        region={region}
        results={results}
        people={people}
        onChange={onChange}
      />
    )
  }
  if (results.results.length === 0) {
    return <PastTheEnd pages={results.pages} onFirst={() => onChange(withFilters(search, {}))} />
  }
  return (
    <>
      <h2 className="sr-only">Results</h2>
      <ResultsList
        search={search}
        filters={filters}
        results={results}
        isStale={isStale}
        highlightedId={props.highlightedId}
        onPoint={props.onPoint}
      />
    </>
  )
}

type ResultsEmptyProps = {
  search: ResultsSearch
  region: Region
  results: SearchResults
  people: string
  onChange: ChangeSearch
}

/** The filters that can hide somebody: an area chosen on the map is where the search is, not one of them. */
function hidingFilters(search: ResultsSearch, region: Region): AppliedFilter[] {
  return appliedFilters(search, region).filter(({ key }) => key !== 'point')
}

function EmptyReason({ search, region, results }: Omit<ResultsEmptyProps, 'people' | 'onChange'>) {
  const filters = hidingFilters(search, region)
  const costly = costliestFilter(search, region, results)
  if (costly) {
    return <p>{costSentence(results, { label: costly.applied.label, total: costly.total })}</p>
  }
  // A single filter that hides nobody is not the reason.
  if (filters.length > 1) {
    const names = filters.map((filter) => midSentence(filter.label)).join(', ')
    return (
      <p>
        {searchedSentence(results)} Nobody matches all your filters ({names}), and removing just one
        of them wouldn’t help.
      </p>
    )
  }
  return (
    <p>
      {searchedSentence(results)} {search.specialty ? 'Nobody in this specialty' : 'Nobody'} offers
      visits here yet. Try {results.nextRadius ? 'a longer distance' : 'somewhere else'}
      {search.specialty && ' or another specialty'}.
    </p>
  )
}

/** No results: why that may be, and searches that find more. */
function ResultsEmpty(props: ResultsEmptyProps) {
  const { search, region, results, people, onChange } = props
  const wider = results.nextRadius
  const filters = appliedFilters(search, region)
  const costly = costliestFilter(search, region, results)
  const isHidden = costly !== undefined || hidingFilters(search, region).length > 1
  const clear = filters.length > 0 && (!costly || filters.length > 1) && (
    <Button
      key="clear"
      variant={costly || !isHidden ? 'secondary' : 'primary'}
      onClick={() => onChange(withoutFilters(search))}
    >
      Clear all filters
    </Button>
  )
  const widen = wider !== undefined && (
    <Button
      key="widen"
      variant={isHidden ? 'secondary' : 'primary'}
      onClick={() =>
        onChange(withFilters(search, { radius: wider, distance_filter_clicked: true }))
      }
    >
      Search within {wider} miles
    </Button>
  )
  return (
    <EmptyState
      title={noResultsTitle(people, results.radius, isHidden)}
      actions={
        <>
          {costly && <RemoveFilterButton search={search} costly={costly} onChange={onChange} />}
          {isHidden ? [clear, widen] : [widen, clear]}
          {search.specialty !== undefined && (
            <Button
              variant="secondary"
              onClick={() => onChange(withFilters(search, { specialty: undefined }))}
            >
              See all specialties
            </Button>
          )}
        </>
      }
    >
      <EmptyReason search={search} region={region} results={results} />
    </EmptyState>
  )
}

/** For a page past the last one, reached by old links and typed URLs. */
function PastTheEnd({ pages, onFirst }: { pages: number; onFirst: () => void }) {
  return (
    <EmptyState
      title="That page doesn’t exist"
      actions={<Button onClick={onFirst}>Go to page 1</Button>}
    >
      <p>These results have {pages === 1 ? 'one page' : `${pages} pages`}.</p>
    </EmptyState>
  )
}

const ProvePerson = late(async () => (await import('#app/parts/captcha/captcha.tsx')).ProvePerson)

type ResultsErrorProps = {
  failure: Failure
  region: Region
  onSwitchRegion: () => void
  onRetry: () => void
  onEdit: () => void
  onAnySpecialty: () => void
  /** Called with a place to search instead of the unknown one. */
  onPlace: (place: string) => void
}

/** Whether another place would help, so that the form matters more than the filters. */
export function isPlaceError(failure: Failure): boolean {
  return /^(place|postcode)_/.test(failure.code)
}

/** Why there are no results, in words, with the step that fixes it. The form stays above. */
export function ResultsError(props: ResultsErrorProps) {
  const { failure, region, onSwitchRegion, onRetry, onEdit, onAnySpecialty, onPlace } = props
  // Only errors on our side have a reference to quote.
  const { sentence, reference, near } = failure
  const shared = { sentence, reference }
  if (failure.code === 'captcha_required') {
    return (
      <Suspense fallback={null}>
        <ProvePerson onProved={onRetry} />
      </Suspense>
    )
  }
  if (failure.code === 'place_in_other_region') {
    const { label } = regionFacts[regionFacts[region].other]
    return (
      <ErrorState
        {...shared}
        title={`That place is in the ${label}`}
        actions={<Button onClick={onSwitchRegion}>Search in the {label}</Button>}
      />
    )
  }
  if (isPlaceError(failure)) {
    return (
      <ErrorState
        {...shared}
        title="We couldn’t find that place"
        actions={
          <>
            {near !== null && <Button onClick={() => onPlace(near)}>Search near {near}</Button>}
            <Button variant={near === null ? 'primary' : 'secondary'} onClick={onEdit}>
              Change the place
            </Button>
          </>
        }
      />
    )
  }
  return (
    <ErrorState
      title="The search didn’t work"
      {...shared}
      actions={
        failure.code === 'specialty_unknown' ? (
          <Button onClick={onAnySpecialty}>See all specialties</Button>
        ) : (
          <Button onClick={onRetry}>Try again</Button>
        )
      }
    />
  )
}

function CardSkeleton() {
  return (
    <div className="@container rounded-card border border-line bg-surface px-4 py-3.5">
      <div className="flex flex-col gap-3 @2xl:flex-row @2xl:gap-5">
        <div className="flex flex-1 flex-col gap-3">
          <div className="flex gap-4">
            <Skeleton className="size-20 rounded-card" />
            <div className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-4 w-24" />
              <Skeleton className="h-6 w-48 max-w-full" />
              <Skeleton className="h-4 w-32" />
              <Skeleton className="h-4 w-44 max-w-full" />
            </div>
          </div>
          <Skeleton className="h-4 w-full max-w-80" />
          <Skeleton className="h-4 w-56 max-w-full" />
          <Skeleton className="h-4 w-48 max-w-full" />
        </div>
        <div className="grid max-w-md grid-cols-4 content-start gap-x-3 gap-y-1.5 border-t border-line pt-3 @2xl:w-76 @2xl:border-t-0 @2xl:border-l @2xl:pt-7 @2xl:pl-5">
          {[1, 2, 3, 4, 5, 6, 7, 8].map((at) => (
            <Skeleton key={at} className={cx('h-11', at > 4 && '@max-2xl:hidden')} />
          ))}
        </div>
      </div>
    </div>
  )
}

/** Placeholder cards, as tall as the real ones, while the first results load. */
export function ResultsSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="sr-only">
        Searching
      </p>
      {[1, 2, 3].map((at) => (
        <CardSkeleton key={at} />
      ))}
    </div>
  )
}
