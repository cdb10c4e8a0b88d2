import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Sheet } from '#app/ui/dialog.tsx'
import { Select } from '#app/ui/select.tsx'
import { numberFormat } from '#contract/intl.ts'
import type { Region } from '#contract/region.ts'
import { appliedFilters, choose, filterChoices, withoutFilters } from './filter-choices.ts'
import { filtersOf, type ResultsSearch } from './results-search.ts'
import { useResults } from './use-results.ts'

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

/** The filters of phones: a button, and a panel over the page with the count it would give. */
export function FilterSheet(props: FilterSheetProps) {
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
            <span className="sr-only"> in force</span>
          </span>
        )}
      </Button>
      {isOpen && <OpenSheet {...props} onClose={() => setIsOpen(false)} />}
    </>
  )
}
