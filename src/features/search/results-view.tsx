import { type ReactNode, useState } from 'react'
import { mapLoading } from '#app/features/search/map/map-loading.tsx'
import { cx } from '#app/lib/cx.ts'
import { lazyPart } from '#app/ui/lazy-part.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { SearchFilters, SearchResults } from '#contract/search.ts'
import type { ChangeSearch } from './filter-removal.tsx'
import { ResultsSkeleton } from './results-empty.tsx'
import { cardDomId, FoundList } from './results-list.tsx'
import type { ResultsSearch } from './results-search.ts'
import type { useSearchNavigation } from './use-results.ts'

// On phones the list comes first: no code of the map is loaded until requested.
const ResultsMap = lazyPart(async () => (await import('./results-map.tsx')).ResultsMap, mapLoading)

/** Where "Skip the map" leads: the element after it. */
const AFTER_MAP = 'after-map'

/** For keyboard users: skips the map's pins, as all results on it are in the list too. */
function SkipMap() {
  return (
    <a
      href={`#${AFTER_MAP}`}
      onClick={(event) => {
        event.preventDefault()
        document.getElementById(AFTER_MAP)?.focus()
      }}
      className="sr-only rounded-field bg-brand px-4 py-3 font-semibold text-on-brand focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-1000"
    >
      Skip the map
    </a>
  )
}

type ResultsViewProps = {
  search: ResultsSearch
  /** The filters of the results shown. */
  filters: SearchFilters
  /** The filters in the URL, which the map uses at once. */
  mapFilters: SearchFilters
  results: SearchResults | undefined
  people: string
  isStale: boolean
  /** The window is wide enough for list and map side by side. */
  isMapBeside: boolean
  onChange: ChangeSearch
  onSearchArea: ReturnType<typeof useSearchNavigation>['searchArea']
  heading: ReactNode
  /** A search is in progress and there are no results yet. */
  isLoading: boolean
  /** Why there are no results, and what to do; shown at full width. */
  problem: ReactNode
}

/** From the bar with the search to the bottom and the right edge of the window (results-page.tsx). */
const mapClass =
  'sticky top-[10.75rem] -mt-4 -mr-8 h-[calc(100dvh-10.75rem)] min-h-96 [@media(height<36rem)]:top-0 [@media(height<36rem)]:h-dvh'

function bringIntoView(id: string): void {
  document.getElementById(cardDomId(id))?.scrollIntoView({ block: 'nearest' })
}

/** List and map of the same results: both from 1024 pixels, one of them below. */
export function ResultsView(props: ResultsViewProps) {
  const { search, filters, results, people, isStale, isMapBeside, onChange, heading, problem } =
    props
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const [pointedId, setPointedId] = useState<string | null>(null)

  const map = results && (
    <ResultsMap
      filters={props.mapFilters}
      region={filters.selectedRegion}
      results={results}
      people={people}
      selectedId={selectedId}
      hoveredId={pointedId}
      onSelect={(id) => {
        setSelectedId(id)
        if (id !== null && isMapBeside) bringIntoView(id)
      }}
      onHover={setPointedId}
      onSearchArea={props.onSearchArea}
    />
  )

  const found = results && (
    <FoundList
      search={search}
      filters={filters}
      results={results}
      people={people}
      isStale={isStale}
      highlightedId={pointedId ?? selectedId}
      onPoint={setPointedId}
      onChange={onChange}
    />
  )

  if (!isMapBeside && search.view === 'map' && map) {
    return (
      <div className="flex flex-col gap-4">
        {heading}
        {/* No results on the map: why, and what to do. */}
        {results.results.length === 0 && found}
        <div className="relative h-[max(24rem,calc(100dvh-16rem))] overflow-hidden rounded-card border border-line">
          <SkipMap />
          {map}
        </div>
        <div id={AFTER_MAP} tabIndex={-1} />
      </div>
    )
  }
  return (
    <div
      className={cx(
        'grid grid-cols-[minmax(0,1fr)] items-start gap-6',
        !problem && 'lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] xl:grid-cols-[46rem_minmax(0,1fr)]',
      )}
    >
      <div className={cx('flex min-w-0 flex-col pb-6', problem ? 'gap-5' : 'gap-3')}>
        {heading}
        {problem ?? found ?? (props.isLoading && <ResultsSkeleton />)}
      </div>
      {isMapBeside && !problem && results === undefined && props.isLoading && (
        <Skeleton className={cx(mapClass, 'rounded-none')} />
      )}
      {isMapBeside && map && (
        <>
          <div className={cx(mapClass, 'no-print overflow-hidden border-l border-line')}>
            <SkipMap />
            {map}
          </div>
          <div id={AFTER_MAP} tabIndex={-1} className="col-span-full" />
        </>
      )}
    </div>
  )
}
