import { QueryClient } from '@tanstack/react-query'
import { isTransient } from '#app/lib/errors.ts'

/** One cache for the page. Responses count as fresh for 30 seconds. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // `networkMode: 'always'` would turn this off by default: queries that failed offline are refetched.
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 2 && isTransient(error),
        // Offline must fail at once and say so, not wait silently for the network.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
