import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '#app/trpc.ts'
import type { SearchFilters } from '#contract/search.ts'
import { hasPlace } from './results-search.ts'

/**
 * The results for a set of filters. While others are on their way the old ones stay, marked by
 * `isPlaceholderData`; an error is kept until somebody asks again.
 */
export function useResults(filters: SearchFilters) {
  return trpc.search.providers.useQuery(filters, {
    enabled: hasPlace(filters),
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}

/**
 * The filters that what stands on the page answers: while others are under way, the ones before.
 * Words made of the new filters and the old results would say what is not so.
 */
export function useAnswered(filters: SearchFilters, found: ReturnType<typeof useResults>) {
  const [answered, setAnswered] = useState(filters)
  const isAnswer = found.isSuccess && !found.isPlaceholderData
  if (isAnswer && JSON.stringify(answered) !== JSON.stringify(filters)) setAnswered(filters)
  return found.isPlaceholderData ? answered : filters
}

/** The same search as points for the map; its page and order do not matter there. */
export function useMapResults(filters: SearchFilters, isShown: boolean) {
  return trpc.search.map.useQuery(
    { ...filters, page: 1, sort: 'distance' },
    { enabled: isShown && hasPlace(filters), placeholderData: keepPreviousData },
  )
}
