import { lazy, Suspense } from 'react'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { ResultsMapProps } from './types.ts'

const ResultsMap = lazy(async () => ({ default: (await import('./results-map.tsx')).ResultsMap }))

/** The map of results, fetched only when it is shown; until then a quiet shape of the same size. */
export function ResultsMapLazy(props: ResultsMapProps) {
  return (
    <Suspense fallback={<Skeleton className="h-full w-full" />}>
      <ResultsMap {...props} />
    </Suspense>
  )
}
