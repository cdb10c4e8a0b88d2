import { Button } from '#app/ui/button.tsx'
import { RemovableChip } from '#app/ui/chip.tsx'
import type { Region } from '#contract/region.ts'
import { appliedFilters, withoutFilters } from './filter-choices.ts'
import type { ResultsSearch } from './results-search.ts'

type AppliedChipsProps = {
  search: ResultsSearch
  region: Region
  onChange: (search: ResultsSearch) => void
}

/** What narrows the results, each to be taken away by one press. Nothing when nothing does. */
export function AppliedChips({ search, region, onChange }: AppliedChipsProps) {
  const applied = appliedFilters(search, region)
  if (applied.length === 0) return null
  return (
    <div role="group" aria-label="Filters in force" className="flex flex-wrap items-center gap-2">
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
