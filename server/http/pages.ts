import { Hono } from 'hono'
import type { Services } from '#server/context.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { isPage, isTokenPage } from '#server/pages/routes.ts'
import { makeSitePage } from '#server/pages/site-page.ts'
import { budget } from './budget.ts'
import { methodNotAllowed, notFound } from './errors.ts'
import type { HttpEnv } from './request-context.ts'
import { securityHeaders } from './security-headers.ts'
import { staticFiles } from './static-files.ts'

/** The files of the build, and the pages of the site at every other address. */
export function pageRoutes(services: Services): Hono<HttpEnv> {
  const { config } = services
  const sitePage = makeSitePage(services)
  const routes = new Hono<HttpEnv>()
  routes.route('/', staticFiles(config))
  if (!hasDemoEntrance(config)) {
    routes.get('/', (c) => c.redirect('/home'))
  }
  routes.get('*', budget('page'), securityHeaders(config, { hasNonce: true }), async (c, next) => {
    const { pathname } = new URL(c.req.url)
    if (isTokenPage(pathname)) {
      const page = await sitePage(c, 200)
      page.headers.set('referrer-policy', 'no-referrer')
      page.headers.set('cache-control', 'no-store')
      page.headers.set('x-robots-tag', 'noindex')
      return page
    }
    if (isPage(pathname)) return sitePage(c, 200)
    // A missing script must not come back as a page, or the browser runs into its first `<`.
    return /\.[a-z0-9]+$/i.test(pathname) ? notFound(c, next) : sitePage(c, 404)
  })
  routes.all('*', methodNotAllowed('GET, HEAD'))
  return routes
}
