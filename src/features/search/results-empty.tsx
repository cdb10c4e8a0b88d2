import { formatRadius } from '#app/lib/format-distance.ts'
import { midSentence } from '#app/lib/mid-sentence.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { Region } from '#contract/region.ts'
import { RADII, type SearchResults } from '#contract/search.ts'
import { appliedFilters, withoutFilters } from './filter-choices.ts'
import { type ResultsSearch, withFilters } from './results-search.ts'

type ResultsEmptyProps = {
  search: ResultsSearch
  region: Region
  results: SearchResults
  people: string
  onChange: (search: ResultsSearch) => void
}

/** Nobody found: why that may be, and searches that find more. */
export function ResultsEmpty(props: ResultsEmptyProps) {
  const { search, region, results, people, onChange } = props
  const wider = RADII.find((miles) => miles > results.radius)
  const filters = appliedFilters(search, region)
  const names = filters.map((filter) => midSentence(filter.label)).join(', ')
  return (
    <EmptyState
      title={`No ${midSentence(people)} ${formatRadius(results.radius)}`}
      actions={
        <>
          {filters.length > 0 && (
            <Button onClick={() => onChange(withoutFilters(search))}>Clear all filters</Button>
          )}
          {wider !== undefined && (
            <Button
              variant={filters.length > 0 ? 'secondary' : 'primary'}
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
              Look at all specialties
            </Button>
          )}
        </>
      }
    >
      {filters.length > 0 ? (
        <p>Nobody here matches every filter ({names}). With fewer of them there may be somebody.</p>
      ) : (
        <p>
          {search.specialty ? 'Nobody of this kind' : 'Nobody'} offers visits here yet. Look{' '}
          {wider ? 'further away' : 'near another place'}
          {search.specialty && ', or at another specialty'}.
        </p>
      )}
    </EmptyState>
  )
}

/** A page past the last one: old links and typed addresses lead here. */
export function PastTheEnd({ pages, onFirst }: { pages: number; onFirst: () => void }) {
  return (
    <EmptyState
      title="There is no such page"
      actions={<Button onClick={onFirst}>Go to page 1</Button>}
    >
      <p>These results have {pages === 1 ? 'one page' : `${pages} pages`}.</p>
    </EmptyState>
  )
}
