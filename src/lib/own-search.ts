import { type ParsedLocation, useHydrated, useRouterState } from '@tanstack/react-router'
import type { SearchFilters } from '#contract/search.ts'

/** Query parameters of `/results`, as links take them. */
type ResultsParams = { [Name in keyof SearchFilters]?: SearchFilters[Name] | undefined } & {
  view?: 'map' | undefined
}

/** The search that led to a profile, and the history index of its results. */
export type OwnSearch = { search: ResultsParams; index: number }

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The results this page was reached from, however many pages ago. */
    ownSearch?: OwnSearch
  }
}

function ownSearchAt({ pathname, search, state }: ParsedLocation): OwnSearch | undefined {
  if (pathname !== '/results') return state.ownSearch
  return { search, index: state.__TSR_index }
}

/** Link state that preserves the way back to the user's own results. */
export function ownSearchState(ownSearch: OwnSearch | undefined): { ownSearch?: OwnSearch } {
  return ownSearch === undefined ? {} : { ownSearch }
}

/** The results the user came from; on `/results`, these results. Undefined until hydrated. */
export function useOwnSearch(): OwnSearch | undefined {
  const isHydrated = useHydrated()
  const own = useRouterState({
    select: ({ location }) => ownSearchAt(location),
    structuralSharing: true,
  })
  return isHydrated ? own : undefined
}
