import { keepPreviousData } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Combobox } from '#app/ui/combobox.tsx'
import { Select } from '#app/ui/select.tsx'
import { type Region, regionFacts } from '#contract/region.ts'
import { type PlaceSuggestion, RADII, SearchFilters } from '#contract/search.ts'
import { searchSentence } from '#contract/sentences.ts'
import { useSpecialities } from './use-specialities.ts'

/** What the box asks for, under the names of `SearchFilters`. */
export type SearchWish = Pick<SearchFilters, 'postcode' | 'radius' | 'distance_filter_clicked'> & {
  specialty: string | undefined
}

type SearchBoxProps = {
  region: Region
  initial: SearchWish
  /** Above results: one row on wide screens, where the values say what the labels would. */
  isCompact?: boolean
  /** Called with a wish whose place is there and short enough. */
  onSearch: (wish: SearchWish) => void
}

const DISTANCES = RADII.map((miles) => ({
  miles,
  label: miles === 1 ? 'Within 1 mile' : `Within ${miles} miles`,
}))

function placeError(postcode: string, region: Region): string | undefined {
  if (postcode === '') return searchSentence('place_missing', { region })
  const isValid = SearchFilters.shape.postcode.safeParse(postcode).success
  return isValid ? undefined : searchSentence('place_invalid', { region })
}

/** Place, specialty, distance, Search: the same box on the home page and above the results. */
export function SearchBox({ region, initial, isCompact, onSearch }: SearchBoxProps) {
  const id = useId()
  const [wish, setWish] = useState(initial)
  const [isRefused, setIsRefused] = useState(false)
  // Another search, such as one the back button leads to: the box shows it and keeps its focus.
  const given = JSON.stringify(initial)
  const [shown, setShown] = useState(given)
  if (shown !== given) {
    setShown(given)
    setWish(initial)
    setIsRefused(false)
  }
  const suggestions = usePlaceSuggestions(region, wish.postcode)
  const specialities = useSpecialities(region)
  const { codeWord, codeExample } = regionFacts[region]
  const change = (part: Partial<SearchWish>) => setWish((now) => ({ ...now, ...part }))

  const postcode = wish.postcode.trim()
  const problem = placeError(postcode, region)
  const submit = () => {
    setIsRefused(problem !== undefined)
    if (problem === undefined) onSearch({ ...wish, postcode })
    else document.getElementById(`${id}-place`)?.focus()
  }

  const isListed = specialities.some((one) => one.slug === wish.specialty)
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
      <Combobox
        id={`${id}-place`}
        name="postcode"
        label={`${codeWord === 'postcode' ? 'Postcode' : codeWord} or town`}
        placeholder={`For example, ${codeExample}`}
        autoComplete="postal-code"
        value={wish.postcode}
        error={isRefused ? problem : undefined}
        suggestions={suggestions}
        onType={(typed) => {
          change({ postcode: typed })
          setIsRefused(false)
        }}
        onPick={(suggestion) => change({ postcode: suggestion.value })}
      />
      <Select
        id={`${id}-specialty`}
        name="specialty"
        label="Specialty"
        value={wish.specialty ?? ''}
        onChange={(event) => change({ specialty: event.target.value || undefined })}
      >
        <option value="">Any specialty</option>
        {wish.specialty !== undefined && !isListed && (
          <option value={wish.specialty}>{wish.specialty.replaceAll('-', ' ')}</option>
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
        value={wish.radius}
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

/** Typing pauses this long before a request goes out. */
const PAUSE_MS = 150

/** Completions for what stands in the place box; none for fewer than two characters. */
function usePlaceSuggestions(region: Region, typed: string): PlaceSuggestion[] {
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const isLongEnough = text.length >= 2 && text.length <= 80
  const { data } = trpc.search.suggest.useQuery(
    { selectedRegion: region, text },
    { enabled: isLongEnough, placeholderData: keepPreviousData, retry: false },
  )
  return isLongEnough && data ? data : []
}
