import { lazy, Suspense } from 'react'
import { cx } from '#app/lib/cx.ts'
import type { Failure } from '#app/lib/errors.ts'
import { midSentence } from '#app/lib/format.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState, ErrorState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type Region, regionFacts } from '#contract/region.ts'
import { RADII, type SearchResults } from '#contract/search.ts'
import { appliedFilters, withoutFilters } from './filter-choices.ts'
import { type ChangeSearch, costliestFilter, RemoveFilterButton } from './filter-removal.tsx'
import { costSentence, noResultsTitle, whereSearched } from './result-text.ts'
import { type ResultsSearch, withFilters } from './results-search.ts'

type ResultsEmptyProps = {
  search: ResultsSearch
  region: Region
  results: SearchResults
  people: string
  onChange: ChangeSearch
}

function EmptyReason({ search, region, results }: Omit<ResultsEmptyProps, 'people' | 'onChange'>) {
  const filters = appliedFilters(search, region)
  const costly = costliestFilter(search, region, results)
  if (costly) {
    return <p>{costSentence(results, { label: costly.applied.label, total: costly.total })}</p>
  }
  if (filters.length > 0) {
    const names = filters.map((filter) => midSentence(filter.label)).join(', ')
    return (
      <p>
        We searched {whereSearched(results)}. Nobody matches all your filters ({names}), and
        removing just one of them wouldn’t help.
      </p>
    )
  }
  const isLast = results.radius >= Math.max(...RADII)
  return (
    <p>
      We searched {whereSearched(results)}.{' '}
      {search.specialty ? 'Nobody in this specialty' : 'Nobody'} offers visits here yet. Try{' '}
      {isLast ? 'somewhere else' : 'a longer distance'}
      {search.specialty && ' or another specialty'}.
    </p>
  )
}

/** No results: why that may be, and searches that find more. */
export function ResultsEmpty(props: ResultsEmptyProps) {
  const { search, region, results, people, onChange } = props
  const wider = RADII.find((miles) => miles > results.radius)
  const filters = appliedFilters(search, region)
  const costly = costliestFilter(search, region, results)
  const isFiltered = filters.length > 0
  return (
    <EmptyState
      title={noResultsTitle(people, results.radius)}
      actions={
        <>
          {costly && <RemoveFilterButton search={search} costly={costly} onChange={onChange} />}
          {isFiltered && (!costly || filters.length > 1) && (
            <Button
              variant={costly ? 'secondary' : 'primary'}
              onClick={() => onChange(withoutFilters(search))}
            >
              Clear all filters
            </Button>
          )}
          {wider !== undefined && (
            <Button
              variant={isFiltered ? 'secondary' : 'primary'}
              onClick={() =>
                onChange(withFilters(search, { radius: wider, distance_filter_clicked: true }))
              }
            >
              Search within {wider} miles
            </Button>
          )}
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
export function PastTheEnd({ pages, onFirst }: { pages: number; onFirst: () => void }) {
  return (
    <EmptyState
      title="That page doesn’t exist"
      actions={<Button onClick={onFirst}>Go to page 1</Button>}
    >
      <p>These results have {pages === 1 ? 'one page' : `${pages} pages`}.</p>
    </EmptyState>
  )
}

const ProvePerson = lazy(async () => ({
  default: (await import('#app/parts/prove-person.tsx')).ProvePerson,
}))

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
      title={failure.code === 'offline' ? 'You’re offline' : 'The search didn’t work'}
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
