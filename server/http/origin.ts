import { refusedEarly } from '#server/admission.ts'
import { toTrpcError } from '#server/failures.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { isOwnOrigin } from '#server/kernel/demo-mode.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Middleware } from './request-context.ts'

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
  // With an access token cookies are not read, and no page elsewhere can make a browser send one.
  const isToken = headers.get('authorization')?.startsWith('Bearer apo_') ?? false
  return site !== null || !headers.has('cookie') || isToken
}

/** Requests that came over no socket carry no Host header. */
function hostOf(request: Request): string {
  return new URL(request.url).host
}

/** Refuses what another site may have made a browser send, before anything else of it is read. */
export const sameOrigin: Middleware = async (c, next) => {
  const { ctx } = c.var
  if (isOwnRequest(c.req.raw, ctx.config)) return next()
  const refusal = await refusedEarly(ctx, c.req.path, new AppError('foreign_origin'))
  throw toTrpcError(refusal, { ctx, path: c.req.path })
}
