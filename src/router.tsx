import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { NotFoundPage } from '#app/features/site/not-found-page.tsx'
import { PagePending } from '#app/features/site/page-pending.tsx'
import { UnexpectedErrorPage } from '#app/features/site/unexpected-error-page.tsx'
import { parsePlainSearch, writePlainSearch } from '#app/lib/plain-search.ts'
import { routeTree } from './routeTree.gen.ts'
import { type ApiClient, makeApiClient, makeQueryUtils, type QueryUtils } from './trpc.ts'

/** What loaders get: the cache, the client, and the cache's helpers for each procedure. */
export type AppContext = { queryClient: QueryClient; client: ApiClient; utils: QueryUtils }

type RouterOptions = {
  /** In place of the browser's: tests and the server have one in memory. */
  history?: RouterHistory
  /** In place of the client over HTTP: the server calls its own procedures. */
  client?: ApiClient
}

/** The router with its cache and its client. */
export function makeRouter(
  queryClient: QueryClient,
  { history, client = makeApiClient() }: RouterOptions = {},
) {
  const utils = makeQueryUtils(queryClient, client)
  const context: AppContext = { queryClient, client, utils }
  return createRouter({
    routeTree,
    context,
    ...(history && { history }),
    parseSearch: parsePlainSearch,
    stringifySearch: writePlainSearch,
    defaultPreload: 'intent',
    // The query cache decides what is fresh; the router must not keep a second opinion.
    defaultPreloadStaleTime: 0,
    // On the server it would write an inline script, which our content security policy forbids.
    scrollRestoration: !import.meta.env.SSR,
    // Pages already at hand appear at once; a pending state stays long enough not to flicker.
    defaultPendingMs: 200,
    defaultPendingMinMs: 100,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: UnexpectedErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
