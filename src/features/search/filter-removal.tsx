import { useRouterState } from '@tanstack/react-router'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Region } from '#contract/region.ts'
import type { SearchResults } from '#contract/search.ts'
import { type AppliedFilter, appliedFilters, choose, type FilterKey } from './filter-choices.ts'
import { fewSentence, restoreSentence } from './result-text.ts'
import type { ResultsSearch } from './results-search.ts'

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
export function FilterNotices(props: FilterNoticesProps) {
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
              Put it back
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
