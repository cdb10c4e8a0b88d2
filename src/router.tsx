import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory, RouterProvider } from '@tanstack/react-router'
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query'
import type { ReactElement } from 'react'
import type { BuildManifest } from '#contract/base/server-rendering.ts'
import { NotFoundPage, PagePending, UnexpectedErrorPage } from './features/site/fallback-pages.tsx'
import { DEVELOPMENT_SITE, type PageContext } from './lib/site-config.ts'
import { routeTree } from './routeTree.gen.ts'
import { type ApiClient, type AppContext, makeApiClient, makeQueryUtils, trpc } from './trpc.ts'

export type Router = ReturnType<typeof makeRouter>

type AppProps = {
  router: Router
  /** Replaces the default provider with the one that hydrates the server-rendered page. */
  Provider?: (props: { router: Router }) => ReactElement | null
}

/** The whole page, rendered alike by the browser's entry point, the server and the tests. */
export function App({ router, Provider = RouterProvider }: AppProps) {
  const { queryClient, client } = router.options.context
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <Provider router={router} />
    </trpc.Provider>
  )
}

type RouterOptions = {
  /** Replaces the browser's history: tests use one in memory. */
  history?: RouterHistory
  /** Replaces the HTTP client: the server calls its own procedures. */
  client?: ApiClient
  server?: ServerRendering
}

type ServerRendering = {
  /** Of the scripts in the page. */
  nonce: string
  /** Whether to render nothing but the document. */
  isBare: boolean
  page: PageContext
  build: BuildManifest
  /** To be awaited before the page's state is dehydrated. */
  whenLoaded: () => Promise<void>
}

/** The router with its cache and its client. */
export function makeRouter(
  queryClient: QueryClient,
  { history, client = makeApiClient(), server }: RouterOptions = {},
) {
  const utils = makeQueryUtils(queryClient, client)
  const page = server?.page ?? { site: DEVELOPMENT_SITE, cookies: [] }
  const context: AppContext = {
    queryClient,
    client,
    utils,
    ...page,
    ...(server && { build: server.build }),
  }
  const router = createRouter({
    routeTree,
    context,
    ...(history && { history }),
    ...(server && { ssr: { nonce: server.nonce }, defaultSsr: !server.isBare }),
    dehydrate: async (): Promise<PageContext> => {
      await server?.whenLoaded()
      return page
    },
    hydrate: (rendered: PageContext) => void Object.assign(router.options.context, rendered),
    parseSearch: parsePlainSearch,
    stringifySearch: stringifyPlainSearch,
    defaultPreload: 'intent',
    // The query cache decides what is fresh; the router must not cache as well.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // Pages already loaded appear at once; a pending state stays long enough not to flicker.
    defaultPendingMs: 200,
    defaultPendingMinMs: 100,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: UnexpectedErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  })
  // Offline it would fail, and browsers do not ask again for a module that failed.
  const { preloadRoute } = router
  router.preloadRoute = async (options) => (navigator.onLine ? preloadRoute(options) : undefined)
  // Dehydrates the query cache into the page, so that the browser need not fetch the same data again.
  setupRouterSsrQueryIntegration({ router, queryClient })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}

/**
 * Parses a query string to plain text by name. Each page interprets its own values, so `postcode=78701` needs
 * no quotes and `postcode=1e5` is not a number.
 */
export function parsePlainSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** The inverse: "?postcode=SE1+6ET&page=2", or an empty string. Undefined values are omitted. */
export function stringifyPlainSearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      params.set(name, String(value))
    }
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
