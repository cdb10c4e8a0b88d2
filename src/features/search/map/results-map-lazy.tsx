import { latePart } from '#app/ui/late-part.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

/** How a map stands in for itself while its code is fetched, and what it says when it cannot be. */
export const mapWords = {
  pending: <Skeleton className="h-full w-full" />,
  lost: 'The map could not be loaded. Check your connection; everything else on this page still works.',
}

/** The map of results, fetched only when it is shown; until then a quiet shape of the same size. */
export const ResultsMapLazy = latePart(
  async () => (await import('./results-map.tsx')).ResultsMap,
  mapWords,
)
