import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { FirstAnswers, Paint } from '#contract/first-paint.ts'
import { DEFAULT_REGION, Region } from '#contract/region.ts'
import { App } from './app.tsx'
import { drawFor } from './lib/cookies.ts'
import { takeSiteConfig } from './lib/site-config.ts'
import { makeQueryDoors } from './query-doors.ts'
import { makeRouter } from './router.tsx'
import { servable } from './servable.ts'
import type { ApiClient } from './trpc.ts'

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

/** Draws a page with the very code that shows it in the browser, and the answers it needs. */
export const paint: Paint = async ({ href, cookies, siteConfig, ask }) => {
  takeSiteConfig(siteConfig)
  drawFor(cookies)
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Infinity, networkMode: 'always' } },
  })
  const trpc = makeQueryDoors<ApiClient>(ask)
  const history = createMemoryHistory({ initialEntries: [href] })
  const router = makeRouter(queryClient, { history, trpc })
  const { pathname, searchParams } = new URL(href, 'http://localhost')
  const given = Region.safeParse(searchParams.get('selectedRegion'))
  const hasSearch = WITH_SEARCH.test(pathname)
  const region = given.success ? given.data : DEFAULT_REGION
  const specialities = trpc.search.specialities.queryOptions({ selectedRegion: region })

  await Promise.all([router.load(), hasSearch && queryClient.query(specialities)])
  const answers = await answersIn(queryClient)
  if (answers === null) return null
  // Another page may have been drawn meanwhile.
  drawFor(cookies)
  const html = renderToString(<App router={router} queryClient={queryClient} />)
  return {
    ...servable(html),
    assumedRegion: hasSearch && !given.success ? region : null,
    firstAnswers: { at: Date.now(), answers },
  }
}
