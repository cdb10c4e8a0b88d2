import { routePath } from 'hono/route'
import { refusedEarly } from '#server/admission.ts'
import { toTrpcError } from '#server/failures.ts'
import { accessTable } from '#server/kernel/access.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { isOwnOrigin, mayBeCalled } from '#server/kernel/demo-mode.ts'
import { AppError } from '#server/kernel/errors.ts'
import { bearerIn } from '#server/kernel/limits/client.ts'
import { isLoopbackHost, networkOf } from '#server/kernel/limits/network.ts'
import type { HttpContext, Middleware } from './request-context.ts'

/**
 * Whether a write may be believed to come from our own pages, or from a program that is no browser.
 * Browsers say where a request comes from in Sec-Fetch-Site and Origin, and pages cannot forge
 * either; with cookies one of them is required.
 */
export function isOwnRequest(request: Request, config: Config): boolean {
  const { headers } = request
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site !== null && site !== 'same-origin') return false
  if (origin !== null) return isOwnOrigin(config, origin, headers.get('host') ?? hostOf(request))
  // Beside a token cookies are not read, and no page elsewhere can make a browser send one.
  return site !== null || !headers.has('cookie') || bearerIn(headers) !== null
}

/** Requests that came over no socket carry no Host header. */
function hostOf(request: Request): string {
  return new URL(request.url).host
}

/** Refuses a request by a name that this installation does not go by. */
export const ownName: Middleware = async (c, next) => {
  const { config } = c.var.ctx
  const host = c.req.header('host') ?? hostOf(c.req.raw)
  if (!mayBeCalled(config, host)) throw new AppError('foreign_origin')
  await next()
}

/** Somebody at this machine. What a proxy passes on is somebody else, wherever the proxy runs. */
export function isOwnMachine({ headers }: Request, network: string): boolean {
  if (headers.has('x-forwarded-for') || headers.has('forwarded')) return false
  return isLoopbackHost(network) || network === networkOf('::1')
}

/** The procedure asked for, or else the route: what callers make up is not worth a row each. */
function knownPath(c: HttpContext): string {
  const procedure = c.req.path.replace(/^\/trpc\//, '')
  return accessTable.has(procedure) ? c.req.path : routePath(c)
}

/** Refuses what another site may have made a browser send, before anything else of it is read. */
export const sameOrigin: Middleware = async (c, next) => {
  const { ctx } = c.var
  if (isOwnRequest(c.req.raw, ctx.config)) return next()
  const path = knownPath(c)
  const refusal = await refusedEarly(ctx, path, new AppError('foreign_origin'))
  throw toTrpcError(refusal, { ctx, path })
}
