import { useNavigate } from '@tanstack/react-router'
import { selectRegion } from '#app/lib/selected-region.ts'
import type { SearchWish } from '#app/parts/search-box.tsx'
import { regionFacts } from '#contract/region.ts'
import type { SearchFilters } from '#contract/search.ts'
import { type ResultsSearch, withFilters } from './results-search.ts'

/** Every way from one search to another; each is an entry in the browser's history. */
export function useSearchNavigation(search: ResultsSearch, filters: SearchFilters) {
  const navigate = useNavigate()
  const go = (next: ResultsSearch) => {
    // The region is always written out, so that a shared link finds the same people.
    void navigate({
      to: '/results',
      search: { ...next, selectedRegion: next.selectedRegion ?? filters.selectedRegion },
      resetScroll: false,
    })
  }
  const nowhere = { latitude: undefined, longitude: undefined }
  return {
    go,
    searchFor: (wish: SearchWish) =>
      go(
        withFilters(search, {
          postcode: wish.postcode,
          specialty: wish.specialty,
          radius: wish.distance_filter_clicked ? wish.radius : undefined,
          distance_filter_clicked: wish.distance_filter_clicked || undefined,
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
