import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { LocateFixed, Search } from 'lucide-react'
import { useId, useState } from 'react'
import { useDebounced } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { currentPosition, NoPosition, type PositionFault } from '#app/lib/visitor-place.ts'
import { trpc } from '#app/trpc.ts'
import { Button, IconButton } from '#app/ui/button.tsx'
import { Combobox } from '#app/ui/combobox.tsx'
import { Select } from '#app/ui/fields.tsx'
import { LiveRegion, Spinner } from '#app/ui/page.tsx'
import { type Region, regionFacts } from '#contract/base/region.ts'
import {
  type LocatedPlace,
  type PlaceSuggestion,
  RADII,
  SearchFilters,
  searchErrorMessage,
} from '#contract/search.ts'
import { useSpecialityList } from './use-specialities.ts'

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
  const { specialities, error, retry } = useSpecialityList(region)
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
        // The search works without the list, so it is fetched again only when somebody goes to it.
        onFocus={() => error && retry()}
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
        {error && <option disabled>The list didn’t load</option>}
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

/** Client-side validation message for a trimmed place; undefined if valid. */
export function placeProblem(postcode: string, region: Region): string | undefined {
  if (postcode === '') return searchErrorMessage('place_missing', { region })
  const isValid = SearchFilters.shape.postcode.safeParse(postcode).success
  return isValid ? undefined : searchErrorMessage('place_invalid', { region })
}

type PlaceFieldProps = {
  id: string
  region: Region
  value: string
  error: string | undefined
  onChange: (place: string) => void
  /** Called before `onChange` if the located person is in the other region. */
  onRegion?: (region: Region) => void
}

/** The message about a located place: names another region, as each is searched on its own. */
function foundSentence({ postcode, selectedRegion }: LocatedPlace, region: Region): string {
  const near = `You’re near ${postcode}`
  if (selectedRegion === region) return `${near}.`
  return `${near} in the ${regionFacts[selectedRegion].label}.`
}

/**
 * "Postcode or town": free text with matching places suggested, and a button that fills in the person's
 * location.
 */
export function PlaceField(props: PlaceFieldProps) {
  const { id, region, value, error, onChange, onRegion } = props
  const suggestions = usePlaceSuggestions(region, value)
  const { codeWord, codeExample } = regionFacts[region]
  const { locate, forget, isPending, problem, found } = useMyLocation(region, (place) => {
    if (place.selectedRegion !== region) onRegion?.(place.selectedRegion)
    onChange(place.postcode)
  })
  const foundText = found && found.postcode === value ? foundSentence(found, region) : undefined
  return (
    <div className="min-w-0">
      <Combobox
        id={id}
        name="postcode"
        label={`${codeWord === 'postcode' ? 'Postcode' : codeWord} or town`}
        placeholder={`For example, ${codeExample}`}
        autoComplete="postal-code"
        value={value}
        error={error}
        hint={problem && <span className="font-medium text-warn">{problem}</span>}
        suggestions={suggestions}
        onType={(typed) => {
          forget()
          onChange(typed)
        }}
        onPick={(suggestion) => {
          forget()
          onChange(suggestion.value)
        }}
        action={
          <IconButton
            label="Use my location"
            aria-busy={isPending || undefined}
            aria-disabled={isPending || undefined}
            onClick={() => !isPending && locate()}
          >
            {isPending ? <Spinner /> : <LocateFixed aria-hidden="true" className="size-5" />}
          </IconButton>
        }
      />
      <LiveRegion text={isPending ? 'Finding your location' : (problem ?? foundText ?? '')} />
    </div>
  )
}

/** Debounce of suggestion requests while typing, in milliseconds. */
const DEBOUNCE_MS = 150

/** Suggestions for the text in the place field; none below two characters. */
function usePlaceSuggestions(region: Region, typed: string): PlaceSuggestion[] {
  const text = useDebounced(typed.trim(), DEBOUNCE_MS)
  const isLongEnough = text.length >= 2 && text.length <= 80
  const { data } = trpc.search.suggest.useQuery(
    { selectedRegion: region, text },
    { enabled: isLongEnough, placeholderData: keepPreviousData, retry: false },
  )
  return isLongEnough && data ? data : []
}

function faultSentence(fault: PositionFault, region: Region): string {
  const instead = `enter a ${regionFacts[region].codeWord} or a town`
  switch (fault) {
    case 'denied':
      return `Location is blocked for this site. Allow it in your browser’s settings, or ${instead}.`
    case 'unavailable':
      return `We couldn’t get your location. Try again, or ${instead}.`
    case 'unsupported':
      return `This browser can’t share your location. Please ${instead}.`
  }
}

function errorSentence(error: unknown, region: Region): string {
  return error instanceof NoPosition
    ? faultSentence(error.fault, region)
    : describeFailure(error).sentence
}

/**
 * "Use my location": passes the place found to `onFound`, unless forgotten before; `problem` says why there
 * is none.
 */
function useMyLocation(region: Region, onFound: (place: LocatedPlace) => void) {
  const { client } = trpc.useUtils()
  const locating = useMutation({
    mutationFn: async () => client.search.locate.mutate(await currentPosition()),
    retry: false,
  })
  const { error, data, isPending } = locating
  return {
    // Not an option of the mutation: that would be called even after `forget`, or on another page.
    locate: () => locating.mutate(undefined, { onSuccess: onFound }),
    forget: () => locating.reset(),
    isPending,
    problem: error === null ? undefined : errorSentence(error, region),
    found: data,
  }
}
