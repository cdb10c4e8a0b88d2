import { formatMoney } from '#app/lib/format/money.ts'
import { languageName } from '#app/lib/format/words.ts'
import { Button } from '#app/ui/button.tsx'
import { PillSelect } from '#app/ui/fields.tsx'
import { RemovableChip } from '#app/ui/notice.tsx'
import { LANGUAGES } from '#contract/base/people.ts'
import { type Region, regionFacts } from '#contract/base/region.ts'
import type { NarrowingFilter } from '#contract/search.ts'
import { hasPoint, type ResultsSearch, readResultsSearch, withFilters } from './results-search.ts'

export type FilterKey = NarrowingFilter

type Option = { value: string; label: string }

/** A filter: its name, the label of its "any" option, and its options. */
export type FilterChoice = {
  key: FilterKey
  label: string
  any: string
  options: Option[]
  value: string
}

const FEES = [40, 60, 80, 100, 150, 200, 300]

const available: Option[] = [
  { value: 'today', label: 'Free today' },
  { value: '3', label: 'Free within 3 days' },
  { value: '14', label: 'Free within 14 days' },
]

const genders: Option[] = [
  { value: 'female', label: 'Female' },
  { value: 'male', label: 'Male' },
  { value: 'non_binary', label: 'Non-binary' },
]

const modes: Option[] = [
  { value: 'in_person', label: 'In person' },
  { value: 'video', label: 'Video' },
]

let languages: Option[] | undefined

function languageOptions(): Option[] {
  languages ??= LANGUAGES.map((code) => ({ value: code, label: languageName(code) })).toSorted(
    (a, b) => a.label.localeCompare(b.label),
  )
  return languages
}

/** Round maximum fees, plus the one in the URL if it is another. */
function feeOptions(region: Region, chosen: number | undefined): Option[] {
  const { currency } = regionFacts[region]
  const fees = new Set([...FEES, ...(chosen === undefined ? [] : [chosen])])
  return [...fees]
    .toSorted((a, b) => a - b)
    .map((fee) => ({
      value: String(fee),
      label: `Up to ${formatMoney({ minor: fee * 100, currency })}`,
    }))
}

/** The filters available, each with its value in the URL. */
export function filterChoices(search: ResultsSearch, region: Region): FilterChoice[] {
  const fees = feeOptions(region, search.fee_max)
  const kinds: Omit<FilterChoice, 'value'>[] = [
    { key: 'available', label: 'Availability', any: 'Any day', options: available },
    { key: 'fee_max', label: 'First-visit fee', any: 'Any fee', options: fees },
    { key: 'mode', label: 'Visit', any: 'In person or video', options: modes },
    { key: 'language', label: 'Language', any: 'Any language', options: languageOptions() },
    { key: 'gender', label: 'Gender', any: 'Any gender', options: genders },
  ]
  return kinds.map((kind) => ({ ...kind, value: String(search[kind.key] ?? '') }))
}

/** The search with one filter set to an option's value, or removed by an empty one. */
export function choose(search: ResultsSearch, key: FilterKey, value: string): ResultsSearch {
  return readResultsSearch({ ...withFilters(search, {}), [key]: value })
}

/** An applied filter in words, and the search without it. */
export type AppliedFilter = { key: FilterKey | 'point'; label: string; without: ResultsSearch }

/** The applied filters, in the order of the filter bar. */
export function appliedFilters(search: ResultsSearch, region: Region): AppliedFilter[] {
  const applied = filterChoices(search, region).flatMap(({ key, options, value }) => {
    const option = options.find((one) => one.value === value)
    if (option === undefined) return []
    const label = key === 'language' ? `Speaks ${option.label}` : option.label
    return [{ key, label, without: choose(search, key, '') }]
  })
  if (!hasPoint(search) || search.postcode === undefined) return applied
  const without = withFilters(search, { latitude: undefined, longitude: undefined })
  return [...applied, { key: 'point', label: 'Area chosen on the map', without }]
}

/** The search without filters: only where, what and how far. */
export function withoutFilters(search: ResultsSearch): ResultsSearch {
  const { selectedRegion, postcode, specialty, radius, distance_filter_clicked, sort, view } =
    search
  const point = postcode === undefined && {
    latitude: search.latitude,
    longitude: search.longitude,
  }
  return {
    selectedRegion,
    postcode,
    specialty,
    radius,
    distance_filter_clicked,
    sort,
    ...(view && { view }),
    ...point,
  }
}

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
