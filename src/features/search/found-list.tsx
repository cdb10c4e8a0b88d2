import type { SearchFilters, SearchResults } from '#contract/search.ts'
import { OrderingNote } from './ordering-note.tsx'
import { PastTheEnd, ResultsEmpty } from './results-empty.tsx'
import { ResultsList } from './results-list.tsx'
import { type ResultsSearch, withFilters } from './results-search.ts'

type FoundListProps = {
  search: ResultsSearch
  filters: SearchFilters
  results: SearchResults
  people: string
  isStale: boolean
  highlightedId: string | null
  onPoint: (id: string | null) => void
  onChange: (search: ResultsSearch) => void
}

/** The list as it was found: people, nobody, or a page that is not there. */
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
      <OrderingNote sort={filters.sort} />
      <h2 className="sr-only">Results</h2>
      <ResultsList
        search={search}
        region={region}
        results={results}
        isStale={isStale}
        highlightedId={props.highlightedId}
        onPoint={props.onPoint}
      />
    </>
  )
}
