import { type ParsedLocation, useHydrated, useRouterState } from '@tanstack/react-router'
import type { SearchFilters } from '#contract/search.ts'

/** The address of `/results`, as a link to it takes it. */
type ResultsAddress = { [Name in keyof SearchFilters]?: SearchFilters[Name] | undefined } & {
  view?: 'map' | undefined
}

/** The search that led to a profile, and where in the browser's history its results stand. */
export type OwnSearch = { search: ResultsAddress; index: number }

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

/** The state of a link that keeps the way back to the person's own results. */
export function keepSearch(ownSearch: OwnSearch | undefined): { ownSearch?: OwnSearch } {
  return ownSearch === undefined ? {} : { ownSearch }
}

/** The results that the person comes from; on `/results` these very ones. The server knows of none. */
export function useOwnSearch(): OwnSearch | undefined {
  const isHydrated = useHydrated()
  const own = useRouterState({
    select: ({ location }) => ownSearchAt(location),
    structuralSharing: true,
  })
  return isHydrated ? own : undefined
}
