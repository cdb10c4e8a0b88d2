import { QueryClient } from '@tanstack/react-query'
import {
  createRequestHandler,
  RouterServer,
  transformHtmlStringWithRouter,
} from '@tanstack/react-router/ssr/server'
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { renderToString } from 'react-dom/server'
import { setRenderCookies } from '#app/lib/storage.ts'
import { DEFAULT_REGION, Region } from '#contract/base/region.ts'
import type { Render, RenderedPage, RenderRequest } from '#contract/base/server-rendering.ts'
import type { AppRouter } from '#server/app-router.ts'
import { signedInUser } from './lib/session.ts'
import { setSiteConfig } from './lib/site-config.ts'
import { App, makeRouter } from './router.tsx'
import { makeApiClient } from './trpc.ts'

/** Pages with a search box, whose wording and options depend on the region. */
const WITH_SEARCH = /^\/(?:home|results)\/?$/

/** The tags React writes before the page: title, meta and resource hints. */
const LEADING_HEAD_TAGS = /^(?:<title>[^<]*<\/title>|<(?:meta|link) [^>]*>)+/

/** Image preload hints, dropped because the browser finds the images in the page just as early. */
const PRELOAD_HINT = /<link [^>]*>/g

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

/** The region assumed for the page's search box; null without a box, or if the URL names one. */
function regionAssumedFor(url: string): Region | null {
  const { pathname, searchParams } = new URL(url)
  const isGiven = Region.safeParse(searchParams.get('selectedRegion')).success
  return WITH_SEARCH.test(pathname) && !isGiven ? DEFAULT_REGION : null
}

function splitHead(html: string): Pick<RenderedPage, 'head' | 'body'> {
  const front = LEADING_HEAD_TAGS.exec(html)?.[0] ?? ''
  return { head: front.replaceAll(PRELOAD_HINT, ''), body: html.slice(front.length) }
}

/**
 * Renders a page for the browser to hydrate, without streaming: all its data comes from the server's own
 * database.
 */
export const render: Render = async ({
  request,
  nonce,
  cookies,
  siteConfig,
  query,
  toDocument,
}) => {
  setSiteConfig(siteConfig)
  setRenderCookies(cookies)
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Infinity, networkMode: 'always' } },
  })
  const handle = createRequestHandler({
    request,
    createRouter: () =>
      makeRouter(queryClient, {
        client: makeApiClient(inProcessLink(query)),
        server: { nonce, beforeDehydration: () => waitForQueries(queryClient) },
      }),
  })
  try {
    const response = await handle(async ({ router }) => {
      // Another page may have been rendered since: the cookies are set again.
      setRenderCookies(cookies)
      const page = splitHead(renderToString(<App router={router} Provider={RouterServer} />))
      const assumedRegion = regionAssumedFor(request.url)
      const html = toDocument({ ...page, assumedRegion, isSignedIn: signedInUser() !== null })
      return new Response(await transformHtmlStringWithRouter(router, html))
    })
    return response.status === 200 ? await response.text() : null
  } catch (error) {
    if (error instanceof IncompleteError) return null
    throw error
  }
}
