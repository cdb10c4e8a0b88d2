import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { renderToString } from 'react-dom/server'
import type { FirstAnswers, Paint, PaintRequest } from '#contract/first-paint.ts'
import { DEFAULT_REGION, Region } from '#contract/region.ts'
import type { AppRouter } from '#server/app-router.ts'
import { App } from './app.tsx'
import { drawFor } from './lib/cookies.ts'
import { takeSiteConfig } from './lib/site-config.ts'
import { makeRouter } from './router.tsx'
import { servable } from './servable.ts'
import { makeApiClient } from './trpc.ts'

/** The pages with a search box: its words and choices are those of a region. */
const WITH_SEARCH = /^\/(?:home|results)\/?$/

/** Every answer in the cache, or null when a call failed: the browser then asks for itself. */
async function answersIn(queryClient: QueryClient): Promise<FirstAnswers['answers'] | null> {
  const queries = queryClient.getQueryCache().getAll()
  // Some loaders do not wait for what they ask.
  await Promise.allSettled(queries.flatMap((query) => query.promise ?? []))
  if (queries.some((query) => query.state.status !== 'success')) return null
  return queries.map((query) => [[...query.queryKey], query.state.data])
}

/** Terminating link: calls procedures in this process instead of over HTTP. */
function inProcess(ask: PaintRequest['ask']): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const call = async () => {
          try {
            observer.next({ result: { type: 'data', data: await ask(op.path, op.input) } })
            observer.complete()
          } catch (error) {
            observer.error(TRPCClientError.from(error instanceof Error ? error : { error }))
          }
        }
        void call()
      })
}

/** Draws a page with the very code that shows it in the browser, and the answers it needs. */
export const paint: Paint = async ({ href, cookies, siteConfig, ask }) => {
  takeSiteConfig(siteConfig)
  drawFor(cookies)
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Infinity, networkMode: 'always' } },
  })
  const history = createMemoryHistory({ initialEntries: [href] })
  const router = makeRouter(queryClient, { history, client: makeApiClient(inProcess(ask)) })
  const { search } = router.options.context.utils
  const { pathname, searchParams } = new URL(href, 'http://localhost')
  const given = Region.safeParse(searchParams.get('selectedRegion'))
  const hasSearch = WITH_SEARCH.test(pathname)
  const region = given.success ? given.data : DEFAULT_REGION
  const specialities = () => search.specialities.prefetch({ selectedRegion: region })

  await Promise.all([router.load(), hasSearch && specialities()])
  const answers = await answersIn(queryClient)
  if (answers === null) return null
  // Another page may have been drawn meanwhile.
  drawFor(cookies)
  const html = renderToString(<App router={router} />)
  return {
    ...servable(html),
    assumedRegion: hasSearch && !given.success ? region : null,
    firstAnswers: { at: Date.now(), answers },
  }
}
