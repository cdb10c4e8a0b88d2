import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { trpc } from '#app/trpc.ts'
import { Combobox } from '#app/ui/combobox.tsx'
import { type Region, regionFacts } from '#contract/region.ts'
import { type PlaceSuggestion, SearchFilters } from '#contract/search.ts'
import { searchSentence } from '#contract/sentences.ts'

/** What is wrong with a trimmed place before the server is asked; undefined when nothing is. */
export function placeProblem(postcode: string, region: Region): string | undefined {
  if (postcode === '') return searchSentence('place_missing', { region })
  const isValid = SearchFilters.shape.postcode.safeParse(postcode).success
  return isValid ? undefined : searchSentence('place_invalid', { region })
}

type PlaceFieldProps = {
  id: string
  region: Region
  value: string
  error: string | undefined
  onChange: (place: string) => void
}

/** "Postcode or town": anything may be typed, and places that begin so are offered. */
export function PlaceField({ id, region, value, error, onChange }: PlaceFieldProps) {
  const suggestions = usePlaceSuggestions(region, value)
  const { codeWord, codeExample } = regionFacts[region]
  return (
    <Combobox
      id={id}
      name="postcode"
      label={`${codeWord === 'postcode' ? 'Postcode' : codeWord} or town`}
      placeholder={`For example, ${codeExample}`}
      autoComplete="postal-code"
      value={value}
      error={error}
      suggestions={suggestions}
      onType={onChange}
      onPick={(suggestion) => onChange(suggestion.value)}
    />
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
