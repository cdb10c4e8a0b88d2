import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { CAPTCHA_PATH } from '#contract/captcha.ts'
import type { Services } from '#server/context.ts'
import { makeHealth, metricsRoute } from '#server/jobs/health.ts'
import { randomText } from '#server/kernel/ids.ts'
import { makeChallenge } from '#server/kernel/security/captcha.ts'
import { restRoutes } from '#server/rest/rest.ts'
import { compress } from './compress.ts'
import { demoVideoRoutes, mailboxRoutes, sandboxRoutes } from './demo-pages.ts'
import { documentRoutes, exportRoutes, mediaRoutes } from './downloads.ts'
import { errorResponse, notFound } from './errors.ts'
import { pageRoutes } from './pages.ts'
import { calendarFeedRoutes, unsubscribeRoutes } from './private-links.ts'
import { type HttpEnv, type Middleware, requestContext, traced } from './request-context.ts'
import { budget, requireKnownHost } from './route-guards.ts'
import { securityHeaders } from './security-headers.ts'
import { trpcRoutes } from './trpc.ts'
import { uploadRoutes } from './uploads.ts'

/** Responds with a new challenge for the ALTCHA widget. */
const captchaChallenge: Middleware = async (c) => {
  const { ctx } = c.var
  return c.json(await makeChallenge(ctx))
}

/** The whole server as a function; `peer` is the address at the other end of the socket. */
export type App = { fetch(request: Request, peer?: string): Promise<Response> }

/** The middleware that every request passes first, and the answer to an error. */
function makeChain(services: Services): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false })
  // A request id refers to our log, so the caller's own is ignored.
  app.use(requestId({ headerName: '', generator: () => randomText(10) }))
  if (services.tracing.isOn) app.use(traced(services))
  app.use(securityHeaders(services.config))
  app.use(requestContext(services))
  app.onError((error, c) => errorResponse(c, { error }))
  return app
}

/** Health and metrics only: everything served at METRICS_PORT, or by a jobs process. */
export function makeOperatorApp(services: Services): App {
  const app = makeChain(services)
  app.get('/healthz', budget('health'), makeHealth(services))
  app.get('/metrics', budget('health'), metricsRoute(services))
  app.all('*', notFound)
  return { fetch: async (request, peer = '') => app.fetch(request, { peer }) }
}

/**
 * Makes the app: one middleware chain for every request, and the routes mounted on it. Each route adds what
 * it needs, always in this order, so that nothing of a refused request is read: `budget`, `sameOrigin`,
 * `session`, admission, `limitBody`. Tests call it without a socket.
 */
export function makeApp(services: Services): App {
  const app = makeChain(services)
  app.use(compress)
  app.use(requireKnownHost)

  app.route('/trpc', trpcRoutes())
  app.route('/', uploadRoutes())
  app.route('/', documentRoutes())
  app.route('/', exportRoutes())
  app.get(CAPTCHA_PATH, budget('challenge'), captchaChallenge)
  app.route('/', sandboxRoutes(services))
  app.route('/', unsubscribeRoutes())
  app.route('/', calendarFeedRoutes())
  app.route('/', mediaRoutes(services))
  app.route('/', mailboxRoutes(services))
  app.route('/', demoVideoRoutes(services))
  app.get('/demo/*', notFound)
  app.route('/', restRoutes(services))
  app.route('/', pageRoutes(services))

  return { fetch: async (request, peer = '') => app.fetch(request, { peer }) }
}
