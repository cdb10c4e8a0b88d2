import { Link, useRouter } from '@tanstack/react-router'
import { List, Map as MapIcon } from 'lucide-react'
import { cx } from '#app/lib/cx.ts'
import { buttonClass } from '#app/ui/button.tsx'
import { PillSelect } from '#app/ui/pill-select.tsx'
import type { Region } from '#contract/region.ts'
import { SORTS, type Sort } from '#contract/search.ts'
import { FilterBar } from './filter-bar.tsx'
import { FilterSheet } from './filter-sheet.tsx'
import { sortLabels } from './result-words.ts'
import { type ResultsSearch, withFilters } from './results-search.ts'

type ToolbarProps = {
  search: ResultsSearch
  region: Region
  sort: Sort
  /** There is somebody to show on a map. */
  hasMap: boolean
  onChange: (search: ResultsSearch) => void
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The map was opened from the list, which is one step back. */
    isFromList?: boolean
  }
}

/** Below 1024 pixels list and map take turns; the address knows which. */
function ViewLink({ search }: { search: ResultsSearch }) {
  const { history } = useRouter()
  const isMap = search.view === 'map'
  const { view: _view, ...list } = search
  const Icon = isMap ? List : MapIcon
  return (
    <Link
      to="/results"
      search={isMap ? list : { ...search, view: 'map' }}
      {...(!isMap && { state: { isFromList: true } })}
      onClick={(event) => {
        // Back, so that the list stands where it was left.
        if (!isMap || !history.location.state.isFromList) return
        event.preventDefault()
        history.back()
      }}
      className={cx(
        buttonClass('secondary'),
        // In the row that stays at the top: floating over the list it would cover times.
        'shrink-0 max-sm:px-3! lg:hidden',
      )}
    >
      <Icon aria-hidden="true" className="size-5" />
      {isMap ? 'List' : 'Map'}
    </Link>
  )
}

function SortSelect({ search, sort, onChange }: Omit<ToolbarProps, 'region'>) {
  return (
    <PillSelect
      label="Sort by"
      className="w-full max-sm:pl-3 max-sm:text-sm lg:pointer-fine:min-h-9 lg:pointer-fine:text-sm"
      isActive={false}
      value={sort}
      onChange={(event) => {
        const next = SORTS.find((one) => one === event.target.value)
        onChange(withFilters(search, { sort: next === 'distance' ? undefined : next }))
      }}
    >
      {SORTS.map((one) => (
        <option key={one} value={one}>
          {sortLabels[one]}
        </option>
      ))}
    </PillSelect>
  )
}

/** Filters, order and view in one row. The map has no order. */
export function ResultsToolbar(props: ToolbarProps) {
  const { search, region, hasMap, onChange } = props
  const isMap = search.view === 'map'
  return (
    <div className="no-print flex flex-wrap items-center justify-between gap-1.5 sm:gap-2">
      <div className="shrink-0 lg:hidden">
        <FilterSheet search={search} region={region} onChange={onChange} />
      </div>
      <div className="max-lg:hidden">
        <FilterBar search={search} region={region} onChange={onChange} />
      </div>
      <div className={cx('max-w-full min-w-0 max-sm:max-w-36', isMap && 'max-lg:hidden')}>
        <SortSelect {...props} />
      </div>
      {(hasMap || isMap) && <ViewLink search={search} />}
    </div>
  )
}
