import { routePath } from 'hono/route'
import { recordEarlyRefusal } from '#server/admission.ts'
import { toTrpcError } from '#server/failures.ts'
import { accessTable } from '#server/kernel/access.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { isAcceptedHost, isOwnOrigin } from '#server/kernel/demo-mode.ts'
import { AppError } from '#server/kernel/errors.ts'
import { bearerIn } from '#server/kernel/limits/client.ts'
import { isLoopbackHost, networkOf } from '#server/kernel/limits/network.ts'
import type { HttpContext, Middleware } from './request-context.ts'

/**
 * Whether a write comes from our own pages or from a client that is not a browser. Browsers send the origin
 * in Sec-Fetch-Site and Origin, and pages cannot forge either; with cookies one of them is required.
 */
export function isOwnRequest(request: Request, config: Config): boolean {
  const { headers } = request
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site !== null && site !== 'same-origin') return false
  if (origin !== null) return isOwnOrigin(config, origin, headers.get('host') ?? hostOf(request))
  // With a bearer token cookies are ignored, and no foreign page can make a browser send one.
  return site !== null || !headers.has('cookie') || bearerIn(headers) !== null
}

/** Requests that did not come over a socket have no Host header. */
function hostOf(request: Request): string {
  return new URL(request.url).host
}

/** Refuses a request for a host name that this installation does not accept. */
export const requireKnownHost: Middleware = async (c, next) => {
  const { config } = c.var.ctx
  const host = c.req.header('host') ?? hostOf(c.req.raw)
  if (!isAcceptedHost(config, host)) throw new AppError('foreign_origin')
  await next()
}

/**
 * Whether a request comes from this machine. One forwarded by a proxy never does, wherever the proxy runs.
 */
export function isLocalRequest({ headers }: Request, network: string): boolean {
  if (headers.has('x-forwarded-for') || headers.has('forwarded')) return false
  return isLoopbackHost(network) || network === networkOf('::1')
}

/** The procedure's path if it exists, otherwise the route: invented paths don't get a row each. */
function knownPath(c: HttpContext): string {
  const procedure = c.req.path.replace(/^\/trpc\//, '')
  return accessTable.has(procedure) ? c.req.path : routePath(c)
}

/** Refuses requests that another site may have triggered, before reading anything else of them. */
export const sameOrigin: Middleware = async (c, next) => {
  const { ctx } = c.var
  if (isOwnRequest(c.req.raw, ctx.config)) return next()
  const path = knownPath(c)
  const refusal = await recordEarlyRefusal(ctx, path, new AppError('foreign_origin'))
  throw toTrpcError(refusal, { ctx, path })
}
