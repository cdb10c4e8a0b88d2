import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { Button } from '#app/ui/button.tsx'
import { Select } from '#app/ui/select.tsx'
import type { Region } from '#contract/region.ts'
import { RADII, type SearchFilters } from '#contract/search.ts'
import { PlaceField, placeProblem } from './place-field.tsx'
import { useSpecialities } from './use-specialities.ts'

/** The search box's values, named as in `SearchFilters`. */
export type SearchValues = Pick<
  SearchFilters,
  'postcode' | 'radius' | 'distance_filter_clicked'
> & {
  specialty: string | undefined
}

type SearchBoxProps = {
  region: Region
  initial: SearchValues
  /**
   * The layout above results: one row on wide screens, without labels, as the values speak for themselves.
   */
  isCompact?: boolean
  /** Called if the located person is in the other region; if omitted, the results lead there. */
  onRegion?: (region: Region) => void
  /** Called with values whose place is present and short enough. */
  onSearch: (wish: SearchValues) => void
}

const DISTANCES = RADII.map((miles) => ({
  miles,
  label: miles === 1 ? 'Within 1 mile' : `Within ${miles} miles`,
}))

/** Place, specialty, distance, Search: the same box on the home page and above the results. */
export function SearchBox({ region, initial, isCompact, onRegion, onSearch }: SearchBoxProps) {
  const id = useId()
  const [values, setValues] = useState(initial)
  const [isRefused, setIsRefused] = useState(false)
  // Another search, for instance from the back button, resets the box, which keeps its focus.
  const given = JSON.stringify(initial)
  const [shown, setShown] = useState(given)
  if (shown !== given) {
    setShown(given)
    setValues(initial)
    setIsRefused(false)
  }
  const specialities = useSpecialities(region)
  const change = (part: Partial<SearchValues>) => setValues((now) => ({ ...now, ...part }))

  const postcode = values.postcode.trim()
  const problem = placeProblem(postcode, region)
  const submit = () => {
    setIsRefused(problem !== undefined)
    if (problem === undefined) onSearch({ ...values, postcode })
    else document.getElementById(`${id}-place`)?.focus()
  }

  const isListed = specialities.some((one) => one.slug === values.specialty)
  return (
    <form
      role="search"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className={cx(
        'grid items-end gap-4 md:grid-cols-2 lg:grid-cols-[1.4fr_1.2fr_auto_auto]',
        isCompact && 'lg:gap-2 lg:[&_label]:sr-only',
      )}
    >
      <PlaceField
        id={`${id}-place`}
        region={region}
        value={values.postcode}
        error={isRefused ? problem : undefined}
        {...(onRegion && { onRegion })}
        onChange={(place) => {
          change({ postcode: place })
          setIsRefused(false)
        }}
      />
      <Select
        id={`${id}-specialty`}
        name="specialty"
        label="Specialty"
        value={values.specialty ?? ''}
        onChange={(event) => change({ specialty: event.target.value || undefined })}
      >
        <option value="">Any specialty</option>
        {values.specialty !== undefined && !isListed && (
          <option value={values.specialty}>{values.specialty.replaceAll('-', ' ')}</option>
        )}
        {specialities.map((one) => (
          <option key={one.slug} value={one.slug}>
            {one.name}
          </option>
        ))}
      </Select>
      <Select
        id={`${id}-radius`}
        name="radius"
        label="Distance"
        className="lg:w-44"
        value={values.radius}
        onChange={(event) => {
          const radius = RADII.find((miles) => String(miles) === event.target.value)
          if (radius) change({ radius, distance_filter_clicked: true })
        }}
      >
        {DISTANCES.map(({ miles, label }) => (
          <option key={miles} value={miles}>
            {label}
          </option>
        ))}
      </Select>
      <Button type="submit" className="lg:px-8">
        <Search aria-hidden="true" className="size-5" />
        Search
      </Button>
    </form>
  )
}
