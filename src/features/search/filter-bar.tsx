import { PillSelect } from '#app/ui/pill-select.tsx'
import type { Region } from '#contract/region.ts'
import { choose, filterChoices } from './filter-choices.ts'
import type { ResultsSearch } from './results-search.ts'

type FilterBarProps = {
  search: ResultsSearch
  region: Region
  onChange: (search: ResultsSearch) => void
}

/** The filters of wide screens: one row, each in force as soon as it is chosen. */
export function FilterBar({ search, region, onChange }: FilterBarProps) {
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap gap-2">
      {filterChoices(search, region).map(({ key, label, any, options, value }) => (
        <PillSelect
          key={key}
          label={label}
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
