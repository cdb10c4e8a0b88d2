import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { ErrorCode } from '#contract/base/errors.ts'
import { type Context, makeContext, type Services } from '#server/context.ts'
import { makeNetworkReader, makeProxyTest } from '#server/kernel/limits/network.ts'
import type { TraceHeaders } from '#server/kernel/telemetry.ts'
import { readClient } from '#server/kernel/wire/client.ts'

/** Values that the middleware chain attaches to a request. */
export type HttpEnv = {
  /** `peer` is the address at the other end of the socket. */
  Bindings: { peer: string }
  /** `ctx` is a visitor's until `session` has run; `bodyCap` is set by `limitBody`. */
  Variables: {
    requestId: string
    ctx: Context
    bodyCap?: { maxBytes: number; tooLarge: ErrorCode }
  }
}

export type HttpContext = HonoContext<HttpEnv>
export type Middleware = MiddlewareHandler<HttpEnv>

/**
 * Gives every request its context and applies it to the response: the request id, the cookies set by use
 * cases, and `no-store` unless the route sets its own policy.
 */
export function requestContext(services: Services): Middleware {
  const networkOf = makeNetworkReader(services.config.trustedProxies)
  return async (c, next) => {
    const { requestId } = c.var
    const { headers } = c.req.raw
    const ctx = makeContext(services, {
      viewer: { kind: 'visitor' },
      requestId,
      network: networkOf(c.env.peer, headers.get('x-forwarded-for')),
      client: readClient(headers),
    })
    c.set('ctx', ctx)
    await next()
    const sent = c.res.headers
    sent.set('x-request-id', requestId)
    if (!sent.has('cache-control')) sent.set('cache-control', 'no-store')
    if (sent.get('content-type') === 'application/json') {
      sent.set('content-type', 'application/json; charset=utf-8')
    }
    for (const [name, value] of ctx.reply.headers) sent.append(name, value)
  }
}

const DEFECT = 500

function headersOf({ req }: HttpContext): TraceHeaders {
  const [traceparent, tracestate] = [req.header('traceparent'), req.header('tracestate')]
  return {
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
  }
}

/**
 * A span for each request, named by its route rather than by its address with ids and queries. Only a trusted
 * proxy may set the parent trace: others could force their requests to be sampled, or mix them into other
 * traces.
 */
export function traced({ tracing, config }: Pick<Services, 'tracing' | 'config'>): Middleware {
  const isTrusted = makeProxyTest(config.trustedProxies)
  return (c, next) => {
    const headers = isTrusted(c.env.peer) ? headersOf(c) : {}
    return tracing.run({ name: c.req.method, kind: 'server', headers }, async (span) => {
      await next()
      const { status } = c.res
      const route = routePath(c)
      span.rename(`${c.req.method} ${route}`)
      span.setAttributes({
        'http.request.method': c.req.method,
        'http.route': route,
        'http.response.status_code': status,
        'apposite.request_id': c.var.requestId,
      })
      if (status >= DEFECT) span.fail(String(status))
    })
  }
}
