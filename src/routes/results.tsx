import { createFileRoute } from '@tanstack/react-router'
import { ResultsPage } from '#app/features/search/results-page.tsx'
import { filtersOf, hasPlace, readResultsSearch } from '#app/features/search/results-search.ts'
import { selectedRegion } from '#app/lib/visitor-place.ts'
import { prefetchSpecialities } from '#app/parts/use-specialities.ts'

/** Results that arrive within this many milliseconds are rendered with the page; otherwise it goes ahead. */
const QUICK_MS = 150

export const Route = createFileRoute('/results')({
  staticData: { isFullWidth: true, isRendered: true, hasSearch: true },
  validateSearch: readResultsSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps, cause }) => {
    const filters = filtersOf(deps, selectedRegion())
    prefetchSpecialities(context.utils, filters.selectedRegion)
    if (!hasPlace(filters)) return
    const query = context.utils.search.providers.queryOptions(filters, {
      trpc: { abortOnUnmount: true },
    })
    const results = context.queryClient.query(query).catch(() => {
      // The page finds the error in the cache and shows it with the form.
    })
    // Changing filters waits for nothing: the old list stays, dimmed, and focus is kept.
    if (cause === 'stay') return
    await Promise.race([results, new Promise((resolve) => setTimeout(resolve, QUICK_MS))])
  },
  component: ResultsScreen,
})

function ResultsScreen() {
  return <ResultsPage search={Route.useSearch()} />
}
