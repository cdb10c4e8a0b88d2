import { Link } from '@tanstack/react-router'
import { cx } from '#app/lib/cx.ts'
import { ProviderCard } from '#app/parts/provider-card.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { SEARCH_PAGE_SIZE } from '#contract/paging.ts'
import type { SearchFilters, SearchResults } from '#contract/search.ts'
import type { ChangeSearch } from './filter-removal.tsx'
import { PastTheEnd, ResultsEmpty } from './results-empty.tsx'
import { OrderingNote } from './results-heading.tsx'
import { type ResultsSearch, withFilters } from './results-search.ts'

type ResultsListProps = {
  search: ResultsSearch
  filters: SearchFilters
  results: SearchResults
  /** Another search is loading; these are the previous results. */
  isStale: boolean
  highlightedId: string | null
  onPoint: (id: string | null) => void
}

/** The number of a result, counted across pages: the same in the list and on the map. */
export function numberOf(results: SearchResults, at: number): number {
  return (results.page - 1) * SEARCH_PAGE_SIZE + at + 1
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
