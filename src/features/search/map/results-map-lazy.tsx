import { latePart } from '#app/ui/late-part.tsx'
import { mapWords } from './map-words.tsx'

/** The map of results, fetched only when it is shown; until then a quiet shape of the same size. */
export const ResultsMapLazy = latePart(
  async () => (await import('./results-map.tsx')).ResultsMap,
  mapWords,
)
