import { QueryClient } from '@tanstack/react-query'
import {
  createRequestHandler,
  getSsrStatus,
  RouterServer,
  transformHtmlStringWithRouter,
} from '@tanstack/react-router/ssr/server'
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { renderToString } from 'react-dom/server'
import type { Render, RenderRequest } from '#contract/base/server-rendering.ts'
import type { AppRouter } from '#server/app-router.ts'
import { DEVELOPMENT_SITE } from './lib/site-config.ts'
import { App, makeRouter } from './router.tsx'
import { makeApiClient } from './trpc.ts'

/** A query did not succeed: the page is not server-rendered, and the browser fetches its own data. */
class IncompleteError extends Error {}

/** Waits for every query in flight, as some loaders do not await theirs. */
async function waitForQueries(queryClient: QueryClient): Promise<void> {
  const queries = queryClient.getQueryCache().getAll()
  await Promise.allSettled(queries.flatMap((query) => query.promise ?? []))
  if (queries.some((query) => query.state.status !== 'success')) throw new IncompleteError()
}

/** Terminating link: calls procedures in this process instead of over HTTP. */
function inProcessLink(query: RenderRequest['query']): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const call = async () => {
          try {
            observer.next({ result: { type: 'data', data: await query(op.path, op.input) } })
            observer.complete()
          } catch (error) {
            observer.error(TRPCClientError.from(error instanceof Error ? error : { error }))
          }
        }
        void call()
      })
}

/**
 * Renders a page for the browser to hydrate, without streaming: all its data comes from the server's own
 * database.
 */
export const render: Render = async (page) => {
  const { request, query, site, cookies, ...options } = page
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Infinity, networkMode: 'always' } },
  })
  const handle = createRequestHandler({
    request,
    createRouter: () =>
      makeRouter(queryClient, {
        client: makeApiClient(inProcessLink(query)),
        server: {
          ...options,
          page: { site, cookies },
          whenLoaded: () => waitForQueries(queryClient),
        },
      }),
  })
  try {
    const response = await handle(async ({ router }) => {
      const html = renderToString(<App router={router} Provider={RouterServer} />)
      const whole = await transformHtmlStringWithRouter(router, html)
      return new Response(whole, { status: getSsrStatus(router) })
    })
    const { headers, status } = response
    const canonical = headers.get('location')
    if (options.isBare && canonical !== null) {
      // Nothing else redirects a bare page. The browser corrects its address itself.
      return await render({
        ...page,
        request: new Request(new URL(canonical, request.url), request),
      })
    }
    return status === 200 || status === 404 ? { status, html: await response.text() } : null
  } catch (error) {
    if (error instanceof IncompleteError) return null
    throw error
  }
}

/** The document that Vite serves during development, bare: there is no build and no database. */
export async function renderForDevelopment(request: Request): Promise<string> {
  const page = await render({
    request,
    nonce: '',
    isBare: true,
    site: DEVELOPMENT_SITE,
    cookies: [],
    query: () => Promise.reject(new IncompleteError()),
    build: { 'src/main.tsx': { file: 'src/main.tsx' } },
  })
  return page?.html ?? ''
}
