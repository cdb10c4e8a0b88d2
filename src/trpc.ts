import type { QueryClient } from '@tanstack/react-query'
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  splitLink,
  type TRPCClient,
  type TRPCLink,
} from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { AppRouter } from '#server/app-router.ts'
import { noteServerTime } from './lib/server-clock.ts'
import { signedInFetch } from './lib/signed-in-fetch.ts'

/** A slow phone network gets this long before the page says so, in milliseconds. */
const TIMEOUT_MS = 15_000

/** The server's own limits on a batch. */
const BATCH_CALLS = 10
const BATCH_URL_LENGTH = 2_000

export type ApiClient = TRPCClient<AppRouter>

/** Hooks of every procedure: `trpc.search.providers.useQuery(input)`. Leaving a page aborts its queries. */
export const trpc = createTRPCReact<AppRouter>({ abortOnUnmount: true })

type Fetch = NonNullable<Parameters<typeof httpBatchLink<AppRouter>>[0]['fetch']>

/** `fetch` with the session renewed as needed and the time limit above. */
const timedFetch: Fetch = async (url, { signal, ...init } = {}) => {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const response = await signedInFetch(url, {
    ...init,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  })
  // Responses to writes come from no cache, so that their date is the server's time now.
  if (init.method === 'POST') noteServerTime(response)
  return response
}

/** The `Idempotency-Key` a write was given in its context, or undefined. */
function keyOf({ context }: { context: Record<string, unknown> }): string | undefined {
  const key = context['idempotencyKey']
  return typeof key === 'string' ? key : undefined
}

/** Calls of one tick travel in one request, reads by GET and writes by POST; one with a key alone. */
const overHttp: TRPCLink<AppRouter> = splitLink({
  condition: (op) => keyOf(op) !== undefined,
  true: httpLink({
    url: '/trpc',
    headers: ({ op }) => ({ 'idempotency-key': keyOf(op) }),
    fetch: timedFetch,
  }),
  false: httpBatchLink({
    url: '/trpc',
    maxItems: BATCH_CALLS,
    maxURLLength: BATCH_URL_LENGTH,
    fetch: timedFetch,
  }),
})

/** The typed client; the server renders pages over a `link` of its own instead of HTTP. */
export function makeApiClient(link = overHttp): ApiClient {
  return createTRPCClient<AppRouter>({ links: [link] })
}

/** For loaders and wherever there are no hooks: `utils.search.provider.ensureData({ id })`. */
export function makeQueryUtils(queryClient: QueryClient, client: ApiClient) {
  return createTRPCQueryUtils<AppRouter>({ queryClient, client })
}

export type QueryUtils = ReturnType<typeof makeQueryUtils>
