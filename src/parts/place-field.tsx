import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { LocateFixed } from 'lucide-react'
import { useEffect, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { currentPosition, NoPosition, type PositionFault } from '#app/lib/geolocation.ts'
import { trpc } from '#app/trpc.ts'
import { IconButton } from '#app/ui/button.tsx'
import { Combobox } from '#app/ui/combobox.tsx'
import { Spinner } from '#app/ui/skeleton.tsx'
import { LiveRegion } from '#app/ui/skip-link.tsx'
import { type Region, regionFacts } from '#contract/region.ts'
import { type LocatedPlace, type PlaceSuggestion, SearchFilters } from '#contract/search.ts'
import { searchErrorMessage } from '#contract/search-sentences.ts'

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
        onPick={(suggestion) => onChange(suggestion.value)}
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
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])
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

/** "Use my location": passes the place found to `onFound`; `problem` says why there is none. */
function useMyLocation(region: Region, onFound: (place: LocatedPlace) => void) {
  const { client } = trpc.useUtils()
  const locating = useMutation({
    mutationFn: async () => client.search.locate.mutate(await currentPosition()),
    onSuccess: onFound,
    retry: false,
  })
  const { error, data, isPending } = locating
  return {
    locate: () => locating.mutate(),
    forget: () => locating.reset(),
    isPending,
    problem: error === null ? undefined : errorSentence(error, region),
    found: data,
  }
}
