import { useRouteContext } from '@tanstack/react-router'
import type { TRPCClient } from '@trpc/client'
import type { AppRouter } from '#server/app-router.ts'
import { type Ask, makeAsk, makeClient } from './batching-client.ts'
import { noteServerTime } from './lib/server-clock.ts'
import { signedInFetch } from './lib/signed-in-fetch.ts'
import { makeQueryDoors, type QueryDoors } from './query-doors.ts'

/** A slow phone network gets this long before the page says so. */
const TIMEOUT_MS = 15_000

/** The server's own limits on a batch, so that a page never runs into them. */
const BATCH_CALLS = 10
const BATCH_URL_LENGTH = 2_000

export type ApiClient = TRPCClient<AppRouter>
export type Trpc = QueryDoors<ApiClient>

/** Ends with the caller's own signal or when the time is up, whichever comes first. */
function inTime(signal: AbortSignal | null | undefined): AbortSignal {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  return signal ? AbortSignal.any([signal, limit]) : limit
}

/** The way to the server: calls made together travel together, at most ten. */
export function makeApiAsk(): Ask {
  return makeAsk({
    url: '/trpc',
    maxItems: BATCH_CALLS,
    maxUrlLength: BATCH_URL_LENGTH,
    fetch: async (url, { signal, ...init }) => {
      const answer = await signedInFetch(url, { ...init, signal: inTime(signal) })
      // Answers to writes are never kept by anybody.
      if (init.method === 'POST') noteServerTime(answer)
      return answer
    },
  })
}

/** The typed door to the server. */
export function makeApiClient(ask: Ask): ApiClient {
  return makeClient<ApiClient>(ask)
}

/** Query options for every query of the server, by room and name. */
export function makeTrpc(ask: Ask): Trpc {
  return makeQueryDoors<ApiClient>((path, input, { signal }) =>
    ask('query', { path, input, signal }),
  )
}

/**
 * Query options for components: `useSuspenseQuery(useTrpc().search.providers.queryOptions(input))`.
 * In loaders it is `context.trpc`.
 */
export function useTrpc(): Trpc {
  return useRouteContext({ from: '__root__', select: (context) => context.trpc })
}

/** For writes: `useMutation({ mutationFn: (input) => api.messages.contact.mutate(input) })`. */
export function useApi(): ApiClient {
  return useRouteContext({ from: '__root__', select: (context) => context.api })
}
