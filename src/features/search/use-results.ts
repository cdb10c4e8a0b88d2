import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { selectRegion } from '#app/lib/visitor-place.ts'
import type { SearchValues } from '#app/parts/search-box.tsx'
import { trpc } from '#app/trpc.ts'
import { SEARCH_PAGE_SIZE } from '#contract/base/paging.ts'
import { regionFacts } from '#contract/base/region.ts'
import type { SearchFilters, SearchResults } from '#contract/search.ts'
import type { ChangeSearch } from './results-heading.tsx'
import { hasPlace, type ResultsSearch, withFilters } from './results-search.ts'

/**
 * The results for a set of filters. While others load, the previous ones stay, marked by `isPlaceholderData`;
 * an error stays until a retry.
 */
export function useResults(filters: SearchFilters) {
  return trpc.search.providers.useQuery(filters, {
    enabled: hasPlace(filters),
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}

/**
 * The filters of the results shown: while new ones load, the previous filters. Texts that combine new filters
 * with old results would be wrong.
 */
export function useShownFilters(filters: SearchFilters, found: ReturnType<typeof useResults>) {
  const [shown, setShown] = useState(filters)
  const isAnswer = found.isSuccess && !found.isPlaceholderData
  if (isAnswer && JSON.stringify(shown) !== JSON.stringify(filters)) setShown(filters)
  return found.isPlaceholderData ? shown : filters
}

/** The same search as points for the map, regardless of page and sort order. */
export function useMapResults(filters: SearchFilters, isShown: boolean) {
  return trpc.search.map.useQuery(
    { ...filters, page: 1, sort: 'distance' },
    { enabled: isShown && hasPlace(filters), placeholderData: keepPreviousData },
  )
}

/** All navigation from one search to another; each adds an entry to the browser's history. */
export function useSearchNavigation(search: ResultsSearch, filters: SearchFilters) {
  const navigate = useNavigate()
  const go: ChangeSearch = (next, removed) => {
    // The region is always in the URL, so that a shared link finds the same people.
    void navigate({
      to: '/results',
      search: { ...next, selectedRegion: next.selectedRegion ?? filters.selectedRegion },
      ...(removed && { state: { removedFilter: removed } }),
      resetScroll: false,
    })
  }
  const nowhere = { latitude: undefined, longitude: undefined }
  return {
    go,
    searchFor: (values: SearchValues) =>
      go(
        withFilters(search, {
          postcode: values.postcode,
          specialty: values.specialty,
          radius: values.distance_filter_clicked ? values.radius : undefined,
          distance_filter_clicked: values.distance_filter_clicked || undefined,
          ...nowhere,
        }),
      ),
    searchArea: (area: Pick<SearchFilters, 'latitude' | 'longitude' | 'radius'>) =>
      go(withFilters(search, { ...area, distance_filter_clicked: true })),
    switchRegion: () => {
      const selectedRegion = regionFacts[filters.selectedRegion].other
      selectRegion(selectedRegion)
      go(withFilters(search, { selectedRegion, ...nowhere }))
    },
  }
}

/** The number of a result, counted across pages: the same in the list and on the map. */
export function numberOf(results: SearchResults, at: number): number {
  return (results.page - 1) * SEARCH_PAGE_SIZE + at + 1
}
