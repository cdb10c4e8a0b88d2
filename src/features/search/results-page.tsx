import { Pencil } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { useMedia, WIDE } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatRadius } from '#app/lib/format.ts'
import { saveLastPlace } from '#app/lib/last-place.ts'
import { useSelectedRegion } from '#app/lib/selected-region.ts'
import { SearchBox, type SearchValues } from '#app/parts/search-box.tsx'
import { peopleWord, useSpecialities } from '#app/parts/use-specialities.ts'
import { Container } from '#app/ui/card.tsx'
import type { SearchFilters, SearchResults } from '#contract/search.ts'
import type { ChangeSearch } from './filter-removal.tsx'
import { isPlaceError, ResultsError } from './results-empty.tsx'
import { ResultsHeading } from './results-heading.tsx'
import { filtersOf, hasPlace, type ResultsSearch, withFilters } from './results-search.ts'
import { ResultsToolbar } from './results-toolbar.tsx'
import { ResultsView } from './results-view.tsx'
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
      <Container className="flex flex-col gap-2 py-2">
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
