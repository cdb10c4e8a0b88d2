import { QueryClient } from '@tanstack/react-query'
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  splitLink,
  type TRPCClient,
  type TRPCLink,
} from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import { isLongInput, MAX_URL_LENGTH } from '#contract/base/long-input.ts'
import type { BuildManifest } from '#contract/base/server-rendering.ts'
import type { AppRouter } from '#server/app-router.ts'
import { syncServerTime } from './lib/dates/server-clock.ts'
import { retryTransient } from './lib/errors.ts'
import { signedInFetch } from './lib/session.ts'
import type { PageContext } from './lib/site-config.ts'

/** Request timeout in milliseconds, long enough for slow mobile networks. */
const TIMEOUT_MS = 15_000

/** The server's own limit on a batch. */
const BATCH_CALLS = 10

export type ApiClient = TRPCClient<AppRouter>

/** Hooks of every procedure: `trpc.search.providers.useQuery(input)`. Queries are aborted on unmount. */
export const trpc = createTRPCReact<AppRouter>({ abortOnUnmount: true })

type Fetch = NonNullable<Parameters<typeof httpBatchLink<AppRouter>>[0]['fetch']>

/** Aborts with the caller's signal or after the timeout; `AbortSignal.any` is missing in browsers we support. */
function withTimeout(signal: AbortSignal | null | undefined): AbortSignal {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  if (!signal) return limit
  const either = new AbortController()
  for (const one of [signal, limit]) {
    if (one.aborted) either.abort(one.reason)
    one.addEventListener('abort', () => either.abort(one.reason), { once: true })
  }
  return either.signal
}

/** `fetch` that renews the session as needed and times out. */
const timedFetch: Fetch = async (url, { signal, ...init } = {}) => {
  const response = await signedInFetch(url, { ...init, signal: withTimeout(signal) })
  // Responses to a POST are never cached, so their date is the server's current time.
  if (init.method === 'POST') syncServerTime(response)
  return response
}

/** The `Idempotency-Key` in a write's context, if any. */
function idempotencyKeyOf({ context }: { context: Record<string, unknown> }): string | undefined {
  const key = context['idempotencyKey']
  return typeof key === 'string' ? key : undefined
}

/**
 * Batches the calls of one tick, reads by GET and writes by POST. A call with an idempotency key, and a read whose
 * input is too long for a URL, goes alone by POST.
 */
const httpLinks: TRPCLink<AppRouter> = splitLink({
  condition: (op) => idempotencyKeyOf(op) !== undefined || isLongInput(op.input),
  true: httpLink({
    url: '/trpc',
    methodOverride: 'POST',
    headers: ({ op }) => ({ 'idempotency-key': idempotencyKeyOf(op) }),
    fetch: timedFetch,
  }),
  false: httpBatchLink({
    url: '/trpc',
    maxItems: BATCH_CALLS,
    maxURLLength: MAX_URL_LENGTH,
    fetch: timedFetch,
  }),
})

/** The typed client; the server passes a `link` that calls procedures in process. */
export function makeApiClient(link = httpLinks): ApiClient {
  return createTRPCClient<AppRouter>({ links: [link] })
}

/** For loaders and other code without hooks: `utils.search.provider.ensureData({ id })`. */
export function makeQueryUtils(queryClient: QueryClient, client: ApiClient) {
  return createTRPCQueryUtils<AppRouter>({ queryClient, client })
}

export type QueryUtils = ReturnType<typeof makeQueryUtils>

/** Context of the loaders: the query cache, the client, the cache's helpers for each procedure, and the page's context. */
export type AppContext = PageContext & {
  queryClient: QueryClient
  client: ApiClient
  utils: QueryUtils
  /** The files of the program; the server names them in the document. */
  build?: BuildManifest
}

/** One cache for the page. Responses count as fresh for 30 seconds. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // `networkMode: 'always'` would turn this off by default: queries that failed offline are refetched.
        refetchOnReconnect: true,
        retry: retryTransient,
        // Offline must fail at once and say so, not wait silently for the network.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
