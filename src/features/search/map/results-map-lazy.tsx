import { latePart } from '#app/ui/late-part.tsx'
import { mapWords } from './map-words.tsx'

/** The map of results, loaded on demand; until then a placeholder of the same size. */
export const ResultsMapLazy = latePart(
  async () => (await import('./results-map.tsx')).ResultsMap,
  mapWords,
)
