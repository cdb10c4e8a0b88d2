import { createFileRoute } from '@tanstack/react-router'
import { ResultsPage } from '#app/features/search/results-page.tsx'
import { filtersOf, hasPlace, readResultsSearch } from '#app/features/search/results-search.ts'
import { selectedRegion } from '#app/lib/selected-region.ts'

/** A list that is there within this time arrives with its page; otherwise the page goes ahead. */
const QUICK_MS = 150

export const Route = createFileRoute('/results')({
  validateSearch: readResultsSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps, cause }) => {
    const filters = filtersOf(deps, selectedRegion())
    if (!hasPlace(filters)) return
    const query = context.utils.search.providers.queryOptions(filters, {
      trpc: { abortOnUnmount: true },
    })
    const results = context.queryClient.query(query).catch(() => {
      // The page finds the failure in the cache and says it, with the form.
    })
    // A change of filters waits for nothing: the old list stays, dimmed, and what has focus keeps it.
    if (cause === 'stay') return
    await Promise.race([results, new Promise((resolve) => setTimeout(resolve, QUICK_MS))])
  },
  component: ResultsScreen,
})

function ResultsScreen() {
  return <ResultsPage search={Route.useSearch()} />
}
