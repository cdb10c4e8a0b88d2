import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query'
import { NotFoundPage } from '#app/features/site/not-found-page.tsx'
import { PagePending } from '#app/features/site/page-pending.tsx'
import { UnexpectedErrorPage } from '#app/features/site/unexpected-error-page.tsx'
import { parsePlainSearch, writePlainSearch } from '#app/lib/plain-search.ts'
import { routeTree } from './routeTree.gen.ts'
import { type ApiClient, makeApiClient, makeQueryUtils, type QueryUtils } from './trpc.ts'

/** What loaders get: the cache, the client, and the cache's helpers for each procedure. */
export type AppContext = { queryClient: QueryClient; client: ApiClient; utils: QueryUtils }

type RouterOptions = {
  /** In place of the browser's: tests have one in memory. */
  history?: RouterHistory
  /** In place of the client over HTTP: the server calls its own procedures. */
  client?: ApiClient
  /** Rendering on the server: what its scripts carry, and what to wait for before it is written. */
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
    stringifySearch: writePlainSearch,
    defaultPreload: 'intent',
    // The query cache decides what is fresh; the router must not keep a second opinion.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // Pages already at hand appear at once; a pending state stays long enough not to flicker.
    defaultPendingMs: 200,
    defaultPendingMinMs: 100,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: UnexpectedErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  })
  // The cache goes with the page: what the server has asked for the browser need not ask again.
  setupRouterSsrQueryIntegration({ router, queryClient })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
