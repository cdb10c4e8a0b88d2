import { Link, useRouter } from '@tanstack/react-router'
import { List, Map as MapIcon, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { Button, buttonClass } from '#app/ui/button.tsx'
import { Sheet } from '#app/ui/dialog.tsx'
import { PillSelect, Select } from '#app/ui/fields.tsx'
import { numberFormat } from '#contract/base/intl.ts'
import type { Region } from '#contract/base/region.ts'
import { SORTS, type Sort } from '#contract/search.ts'
import { appliedFilters, choose, FilterBar, filterChoices, withoutFilters } from './filters.tsx'
import { sortLabels } from './results-heading.tsx'
import { filtersOf, type ResultsSearch, withFilters } from './results-search.ts'
import { useResults } from './use-results.ts'

type ToolbarProps = {
  search: ResultsSearch
  region: Region
  sort: Sort
  /** There are results to show on a map. */
  hasMap: boolean
  onChange: (search: ResultsSearch) => void
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The map was opened from the list, which is one step back in the history. */
    isFromList?: boolean
  }
}

/** Below 1024 pixels either list or map is shown, as set in the URL. */
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
        // Goes back in the history, so that the list keeps its scroll position.
        if (!isMap || !history.location.state.isFromList) return
        event.preventDefault()
        history.back()
      }}
      className={cx(
        buttonClass('secondary'),
        // Part of the row that sticks to the top: floating over the list it would cover times.
        'shrink-0 max-sm:px-3! lg:hidden',
      )}
    >
      {/* Left out where the row would not fit a narrow phone with filters applied. */}
      <Icon aria-hidden="true" className="size-5 max-[25rem]:hidden" />
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
      <div
        className={cx(
          'ml-auto flex max-w-full min-w-0 justify-end max-sm:max-w-44 max-sm:flex-1 max-sm:basis-36',
          isMap && 'max-lg:hidden',
        )}
      >
        <SortSelect {...props} />
      </div>
      {(hasMap || isMap) && <ViewLink search={search} />}
    </div>
  )
}

type FilterSheetProps = {
  search: ResultsSearch
  region: Region
  onChange: (search: ResultsSearch) => void
}

type SheetProps = FilterSheetProps & { onClose: () => void }

function showLabel(total: number | undefined): string {
  if (total === undefined) return 'Show results'
  return `Show ${numberFormat('en-GB').format(total)} ${total === 1 ? 'result' : 'results'}`
}

function OpenSheet({ search, region, onChange, onClose }: SheetProps) {
  const [draft, setDraft] = useState(search)
  const { data, isFetching } = useResults({ ...filtersOf(draft, region), page: 1 })
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title="Filters"
      footer={
        <>
          <Button
            className="flex-1"
            onClick={() => {
              onChange(draft)
              onClose()
            }}
          >
            {showLabel(isFetching ? undefined : data?.total)}
          </Button>
          <Button variant="secondary" onClick={() => setDraft(withoutFilters(draft))}>
            Clear all
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        {filterChoices(draft, region).map(({ key, label, any, options, value }) => (
          <Select
            key={key}
            id={`filter-${key}`}
            label={label}
            value={value}
            onChange={(event) => setDraft(choose(draft, key, event.target.value))}
          >
            <option value="">{any}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </Select>
        ))}
      </div>
    </Sheet>
  )
}

/** The filters on phones: a button, and a panel over the page with the number of results. */
function FilterSheet(props: FilterSheetProps) {
  const [isOpen, setIsOpen] = useState(false)
  const count = appliedFilters(props.search, props.region).length
  return (
    <>
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        className="max-sm:px-3!"
        onClick={() => setIsOpen(true)}
      >
        <SlidersHorizontal aria-hidden="true" className="size-5 max-[25rem]:hidden" />
        Filters
        {count > 0 && (
          <span className="tabular rounded-full bg-brand px-2 text-sm text-on-brand">
            {count}
            <span className="sr-only"> active</span>
          </span>
        )}
      </Button>
      {isOpen && <OpenSheet {...props} onClose={() => setIsOpen(false)} />}
    </>
  )
}
