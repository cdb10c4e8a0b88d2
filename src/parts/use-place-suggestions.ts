import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { trpc } from '#app/trpc.ts'
import type { Region } from '#contract/region.ts'
import type { PlaceSuggestion } from '#contract/search.ts'

/** Typing pauses this long before a request goes out. */
const PAUSE_MS = 150

/** Completions for what stands in the place box; none for fewer than two characters. */
export function usePlaceSuggestions(region: Region, typed: string): PlaceSuggestion[] {
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
