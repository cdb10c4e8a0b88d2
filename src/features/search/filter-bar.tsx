import { RemovableChip } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { PillSelect } from '#app/ui/pill-select.tsx'
import type { Region } from '#contract/region.ts'
import { appliedFilters, choose, filterChoices, withoutFilters } from './filter-choices.ts'
import type { ResultsSearch } from './results-search.ts'

type FilterBarProps = {
  search: ResultsSearch
  region: Region
  onChange: (search: ResultsSearch) => void
}

/** The filters on wide screens: one row, each applied as soon as it is chosen. */
export function FilterBar({ search, region, onChange }: FilterBarProps) {
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap gap-2">
      {filterChoices(search, region).map(({ key, label, any, options, value }) => (
        <PillSelect
          key={key}
          label={label}
          className="lg:pointer-fine:min-h-9 lg:pointer-fine:text-sm"
          isActive={value !== ''}
          value={value}
          onChange={(event) => onChange(choose(search, key, event.target.value))}
        >
          <option value="">{any}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </PillSelect>
      ))}
    </div>
  )
}

type AppliedChipsProps = {
  search: ResultsSearch
  region: Region
  onChange: (search: ResultsSearch) => void
}

/** The applied filters as chips, each removed by one press. Nothing without any. */
export function AppliedChips({ search, region, onChange }: AppliedChipsProps) {
  const applied = appliedFilters(search, region)
  if (applied.length === 0) return null
  return (
    <div role="group" aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {applied.map(({ key, label, without }) => (
        <RemovableChip
          key={key}
          removeLabel={`Remove filter: ${label}`}
          onRemove={() => onChange(without)}
        >
          {label}
        </RemovableChip>
      ))}
      <Button
        variant="quiet"
        className="px-3 text-sm"
        onClick={() => onChange(withoutFilters(search))}
      >
        Clear all
      </Button>
    </div>
  )
}
