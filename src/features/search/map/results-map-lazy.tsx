import { lazyPart } from '#app/ui/lazy-part.tsx'
import { mapLoading } from './map-loading.tsx'

/** The map of results, loaded on demand; until then a placeholder of the same size. */
export const ResultsMapLazy = lazyPart(
  async () => (await import('./results-map.tsx')).ResultsMap,
  mapLoading,
)
