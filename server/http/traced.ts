import { routePath } from 'hono/route'
import type { Services } from '#server/context.ts'
import { makeProxyTest } from '#server/kernel/limits/network.ts'
import type { TraceHeaders } from '#server/kernel/telemetry.ts'
import type { HttpContext, Middleware } from './request-context.ts'

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
