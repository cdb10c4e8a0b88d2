import { Pencil } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { useMedia, WIDE } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatRadius } from '#app/lib/format/places.ts'
import { saveLastPlace, useSelectedRegion } from '#app/lib/visitor-place.ts'
import { SearchBox, type SearchValues } from '#app/parts/search-box.tsx'
import { peopleWord, useSpecialities } from '#app/parts/use-specialities.ts'
import { lazyPart } from '#app/ui/lazy-part.tsx'
import { Container, Skeleton } from '#app/ui/page.tsx'
import type { SearchFilters, SearchResults } from '#contract/search.ts'
import { mapLoading } from './map/results-map-lazy.tsx'
import { type ChangeSearch, ResultsHeading } from './results-heading.tsx'
import {
  cardDomId,
  FoundList,
  isPlaceError,
  ResultsError,
  ResultsSkeleton,
} from './results-list.tsx'
import { filtersOf, hasPlace, type ResultsSearch, withFilters } from './results-search.ts'
import { ResultsToolbar } from './results-toolbar.tsx'
import { useResults, useSearchNavigation, useShownFilters } from './use-results.ts'

const HEADING_ID = 'results-heading'

function focusHeading(): void {
  document.getElementById(HEADING_ID)?.focus({ preventScroll: true })
}

/** Focuses the heading before an action that removes the pressed button: the outcome appears below it. */
function focusHeadingThen(act: () => unknown): void {
  focusHeading()
  act()
}

/** After a change of page the heading takes focus: the list below it is new. */
function useFocusOnPage(page: number): void {
  const last = useRef(page)
  useEffect(() => {
    if (last.current === page) return
    last.current = page
    focusHeading()
  }, [page])
}

function usePeople(filters: SearchFilters): string {
  const specialities = useSpecialities(filters.selectedRegion)
  return peopleWord(specialities.find((one) => one.slug === filters.specialty))
}

/** Stores the place of the latest results for the home page. */
function useSaveLastPlace(filters: SearchFilters, results: SearchResults | undefined): void {
  const place = results?.place.level === 'point' ? undefined : results?.place.label
  useEffect(() => {
    if (place !== undefined) saveLastPlace(filters.selectedRegion, place)
  }, [place, filters.selectedRegion])
}

/** The results: the search, editable in place; how many; and who, as list and map. */
export function ResultsPage({ search }: { search: ResultsSearch }) {
  const filters = filtersOf(search, useSelectedRegion())
  const found = useResults(filters)
  const { data, error, isPlaceholderData, refetch } = found
  const shownFilters = useShownFilters(filters, found)
  const people = usePeople(filters)
  const peopleShown = usePeople(shownFilters)
  const { go, searchFor, searchArea, switchRegion } = useSearchNavigation(search, filters)
  const box = useRef<HTMLDivElement>(null)
  const [isEditing, setIsEditing] = useState(false)
  const isMapBeside = useMedia(WIDE)
  useFocusOnPage(filters.page)
  const isAsked = hasPlace(filters)
  const failure = isAsked && error !== null ? describeFailure(error) : null
  const isPlaceWrong = failure !== null && isPlaceError(failure)
  const results = isAsked && error === null ? data : undefined
  useSaveLastPlace(shownFilters, isPlaceholderData ? undefined : results)

  const edit = () => {
    setIsEditing(true)
    requestAnimationFrame(() => box.current?.querySelector('input')?.focus())
  }
  const change: ChangeSearch = (next, removed) => {
    go(next, removed)
    // The pressed button may be gone after the change; the outcome is shown at the heading.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusHeading()
    })
  }
  const shared = { search, filters: shownFilters, people: peopleShown, onChange: change }

  return (
    <>
      <SearchPanel
        filters={filters}
        people={people}
        radius={results?.radius ?? filters.radius}
        isOpen={!isAsked || isPlaceWrong || isEditing}
        onOpen={edit}
        boxRef={box}
        onSearch={(values) => {
          setIsEditing(false)
          // The search box collapses on phones, and its focus is lost.
          if (!isMapBeside) focusHeading()
          searchFor(values)
        }}
      >
        {isAsked && !isPlaceWrong && (
          <ResultsToolbar
            search={search}
            region={filters.selectedRegion}
            sort={filters.sort}
            hasMap={results !== undefined && results.total > 0}
            onChange={change}
          />
        )}
      </SearchPanel>
      <Container className="pt-4">
        <ResultsView
          {...shared}
          mapFilters={filters}
          results={results}
          isStale={isPlaceholderData}
          isMapBeside={isMapBeside}
          onSearchArea={(area) => focusHeadingThen(() => searchArea(area))}
          heading={
            <ResultsHeading
              {...shared}
              results={results}
              isStale={isPlaceholderData}
              isFailed={failure !== null}
              headingId={HEADING_ID}
            />
          }
          isLoading={isAsked}
          problem={
            failure && (
              <ResultsError
                failure={failure}
                region={filters.selectedRegion}
                onSwitchRegion={() => focusHeadingThen(switchRegion)}
                onRetry={() => focusHeadingThen(refetch)}
                onEdit={edit}
                onPlace={(place) => change(withFilters(search, { postcode: place }))}
                onAnySpecialty={() => change(withFilters(search, { specialty: undefined }))}
              />
            )
          }
        />
      </Container>
    </>
  )
}

type SearchPanelProps = {
  filters: SearchFilters
  /** The providers searched for, in words: "Dentists". */
  people: string
  /** Radius of the results in miles: larger than requested if the search was widened. */
  radius: number
  /**
   * Shows the form on phones instead of a summary: if there is nothing to summarise, or something to correct.
   */
  isOpen: boolean
  onOpen: () => void
  boxRef: Ref<HTMLDivElement>
  onSearch: (wish: SearchValues) => void
  /** Filters and order, below the box. */
  children: ReactNode
}

/** "10 miles": beside place and people, "within" is implied. */
function shortRadius(miles: number): string {
  return formatRadius(miles).replace(/^within /, '')
}

/** The search above its results, editable in place. On phones it expands from a summary. */
function SearchPanel(props: SearchPanelProps) {
  const { filters, people, isOpen, boxRef, children } = props
  const { postcode, specialty, radius, distance_filter_clicked } = filters
  return (
    // On phones the summary scrolls away and the row with filters and map stays.
    <div
      data-full-width
      className={cx(
        'no-print z-20 border-b border-line bg-surface lg:[@media(height>=36rem)]:sticky lg:[@media(height>=36rem)]:top-16',
        !isOpen && 'max-lg:sticky max-lg:-top-13',
      )}
    >
      <Container className={cx('flex flex-col gap-2 py-2', isOpen && 'max-lg:py-4')}>
        {!isOpen && (
          <button
            type="button"
            aria-expanded={false}
            onClick={props.onOpen}
            className="flex min-h-11 w-full items-center justify-between gap-3 rounded-full border border-field bg-surface px-4 text-left leading-snug lg:hidden"
          >
            <span className="min-w-0 truncate">
              <span className="font-semibold">{postcode || 'Area on the map'}</span>
              <span className="text-muted">
                {' '}
                · {people} · {shortRadius(props.radius)}
              </span>
            </span>
            <span className="inline-flex shrink-0 items-center gap-1.5 font-semibold text-brand-deep">
              <Pencil aria-hidden="true" className="size-4" />
              Edit<span className="sr-only"> search</span>
            </span>
          </button>
        )}
        <div ref={boxRef} className={cx(!isOpen && 'max-lg:hidden')}>
          <SearchBox
            isCompact
            region={filters.selectedRegion}
            initial={{ postcode, specialty, radius, distance_filter_clicked }}
            onSearch={props.onSearch}
          />
        </div>
        {children}
      </Container>
    </div>
  )
}

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

/** From the bar with the search to the bottom and the right edge of the window (`SearchPanel`). */
const mapClass =
  'sticky top-[10.75rem] -mt-4 -mr-8 h-[calc(100dvh-10.75rem)] min-h-96 [@media(height<36rem)]:top-0 [@media(height<36rem)]:h-dvh'

function bringIntoView(id: string): void {
  document.getElementById(cardDomId(id))?.scrollIntoView({ block: 'nearest' })
}

/** List and map of the same results: both from 1024 pixels, one of them below. */
function ResultsView(props: ResultsViewProps) {
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
        <div className="relative h-[max(24rem,calc(100dvh-16rem))] md:h-[max(24rem,calc(100dvh-18.5rem))] overflow-hidden rounded-card border border-line">
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
      <div className={cx('flex min-w-0 flex-col pb-6', problem ? 'max-w-3xl gap-5' : 'gap-3')}>
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
