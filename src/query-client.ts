import { QueryClient } from '@tanstack/react-query'
import { isTransient } from '#app/lib/errors.ts'

/** One cache for the page. Answers count as fresh for half a minute. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // Left out, `networkMode` would turn it off: what failed offline comes by itself.
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 2 && isTransient(error),
        // Offline must fail at once and say so, not wait silently for the network.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
