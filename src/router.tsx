import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query'
import { NotFoundPage } from '#app/features/site/not-found-page.tsx'
import { PagePending } from '#app/features/site/page-pending.tsx'
import { UnexpectedErrorPage } from '#app/features/site/unexpected-error-page.tsx'
import { parsePlainSearch, stringifyPlainSearch } from '#app/lib/plain-search.ts'
import { routeTree } from './routeTree.gen.ts'
import { type ApiClient, makeApiClient, makeQueryUtils, type QueryUtils } from './trpc.ts'

/** Context of the loaders: the query cache, the client, and the cache's helpers for each procedure. */
export type AppContext = { queryClient: QueryClient; client: ApiClient; utils: QueryUtils }

type RouterOptions = {
  /** Replaces the browser's history: tests use one in memory. */
  history?: RouterHistory
  /** Replaces the HTTP client: the server calls its own procedures. */
  client?: ApiClient
  /** Server rendering: the nonce of its scripts, and what to await before dehydration. */
  server?: { nonce: string; beforeDehydration: () => Promise<void> }
}

/** The router with its cache and its client. */
export function makeRouter(
  queryClient: QueryClient,
  { history, client = makeApiClient(), server }: RouterOptions = {},
) {
  const utils = makeQueryUtils(queryClient, client)
  const context: AppContext = { queryClient, client, utils }
  const router = createRouter({
    routeTree,
    context,
    ...(history && { history }),
    ...(server && {
      ssr: { nonce: server.nonce },
      dehydrate: async () => {
        await server.beforeDehydration()
        return {}
      },
    }),
    parseSearch: parsePlainSearch,
    stringifySearch: stringifyPlainSearch,
    defaultPreload: 'intent',
    // The query cache decides what is fresh; the router must not cache as well.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // Pages already at hand appear at once; a pending state stays long enough not to flicker.
    defaultPendingMs: 200,
    defaultPendingMinMs: 100,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: UnexpectedErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  })
  // Dehydrates the query cache into the page, so that the browser need not fetch the same data again.
  setupRouterSsrQueryIntegration({ router, queryClient })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
