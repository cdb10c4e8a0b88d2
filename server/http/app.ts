import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { requestId } from 'hono/request-id'
import { CAPTCHA_PATH } from '#contract/base/captcha.ts'
import type { Services } from '#server/context.ts'
import { makeHealth, metricsRoute } from '#server/jobs/health.ts'
import { randomText } from '#server/kernel/ids.ts'
import { makeChallenge, workAsked } from '#server/kernel/security/captcha.ts'
import { restRoutes } from '#server/rest/rest.ts'
import { demoVideoRoutes, mailboxRoutes, sandboxRoutes } from './demo-pages.ts'
import { documentRoutes, exportRoutes, mediaRoutes } from './downloads.ts'
import { errorResponse, notFound } from './errors.ts'
import { pageRoutes } from './pages.ts'
import { calendarFeedRoutes, unsubscribeRoutes } from './private-links.ts'
import {
  type HttpContext,
  type HttpEnv,
  type Middleware,
  requestContext,
  traced,
} from './request-context.ts'
import { budget, requireKnownHost } from './route-guards.ts'
import { securityHeaders } from './security-headers.ts'
import { trpcRoutes } from './trpc.ts'
import { uploadRoutes } from './uploads.ts'

/** In bytes; below the size of one packet, compression gains nothing. */
const COMPRESS_FROM = 1_400

const TEXT = /^(?:text\/|application\/json)/

/** The best first; at these qualities either takes a millisecond or two for a page. */
const ENCODERS = {
  br: (body: Buffer) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => gzipSync(body, { level: 1 }),
}

type Encoding = keyof typeof ENCODERS

function encodingFor(c: HttpContext): Encoding | undefined {
  const isAccepted = (name: Encoding) =>
    accepts(c, { header: 'Accept-Encoding', supports: [name], default: 'identity' }) === name
  return (['br', 'gzip'] as const).find(isAccepted)
}

/**
 * Compresses text generated per request. Hono's own middleware streams every response through zlib, however
 * short, at a cost of a quarter of a megabyte each.
 */
const compress: Middleware = async (c, next) => {
  await next()
  const { headers, status } = c.res
  if (headers.has('content-encoding') || !TEXT.test(headers.get('content-type') ?? '')) return
  headers.append('vary', 'accept-encoding')
  const encoding = encodingFor(c)
  if (encoding === undefined || status === 304) return
  const body = Buffer.from(await c.res.arrayBuffer())
  const isLong = body.length >= COMPRESS_FROM
  const packed = new Response(isLong ? ENCODERS[encoding](body) : body, c.res)
  if (isLong) {
    packed.headers.set('content-encoding', encoding)
    packed.headers.delete('content-length')
  }
  // Clearing the response first keeps Hono from merging the headers of both.
  c.res = undefined
  c.res = packed
}

/** Responds with a new challenge for the ALTCHA widget. */
const captchaChallenge: Middleware = async (c) => {
  const { ctx } = c.var
  return c.json(await makeChallenge(ctx, workAsked(c.req.query('work'))))
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
  app.use(requireKnownHost)
  // Before `compress`, which would collect the whole file first.
  app.route('/', exportRoutes())
  app.use(compress)

  app.route('/trpc', trpcRoutes())
  app.route('/', uploadRoutes())
  app.route('/', documentRoutes())
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
