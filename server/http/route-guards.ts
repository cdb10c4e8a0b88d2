import { routePath } from 'hono/route'
import type { ErrorCode } from '#contract/base/errors.ts'
import { readAccessToken } from '#server/access-tokens/access-tokens.ts'
import { recordEarlyRefusal } from '#server/admission.ts'
import { readSession } from '#server/auth/sessions/read-session.ts'
import { type Context, makeContext, type Services } from '#server/context.ts'
import { toTrpcError } from '#server/failures.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { isAcceptedHost, isOwnOrigin } from '#server/kernel/demo-mode.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isLoopbackHost, networkOf } from '#server/kernel/limits/network.ts'
import { consume, type LimitName } from '#server/kernel/limits/rate-limit.ts'
import { bearerIn, type Client } from '#server/kernel/wire/client.ts'
import { OverCapError, readCapped } from '#server/kernel/wire/read-capped.ts'
import { type Declaration, procedures } from '#server/procedures.ts'
import type { HttpContext, Middleware } from './request-context.ts'

/**
 * Counts every request of a route against a rate limit of the caller's network. Procedures and uploads are
 * counted on admission instead, one by one.
 */
export function budget(limit: LimitName): Middleware {
  return async (c, next) => {
    consume(c.var.ctx, limit)
    await next()
  }
}

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

/** The procedure that a request calls on its own, if it exists. */
function calledProcedure({ req }: HttpContext): Declaration | undefined {
  return procedures.get(req.path.replace(/^\/trpc\//, ''))
}

/** The procedure's path if it exists, otherwise the route: invented paths don't get a row each. */
function knownPath(c: HttpContext): string {
  return calledProcedure(c) === undefined ? routePath(c) : c.req.path
}

/** Refuses requests that another site may have triggered, before reading anything else of them. */
export const sameOrigin: Middleware = async (c, next) => {
  const { ctx } = c.var
  if (isOwnRequest(c.req.raw, ctx.config)) return next()
  const path = knownPath(c)
  const refusal = await recordEarlyRefusal(ctx, path, new AppError('foreign_origin'))
  throw toTrpcError(refusal, { ctx, path })
}

/** Resolves the session or access token of a request; without either no query is made. */
export const session: Middleware = async (c, next) => {
  const { ctx } = c.var
  const { client, network, requestId, reply } = ctx
  const isQuiet = client.isUnattended || calledProcedure(c)?.meta.isPassive === true
  const found = await readViewer(ctx, { client, network, isQuiet })
  if (found.session !== null || found.token !== null) {
    c.set('ctx', makeContext(ctx, { ...found, requestId, network, client, reply }))
  }
  await next()
}

type ViewerContext = Pick<Context, 'viewer' | 'session' | 'token'>

/**
 * The viewer of a request, the same for every transport: from its access token, or else from its session. A
 * request with an access token has no session, because `readClient` drops its cookies. Without either there
 * is no database query. A quiet request does not count as use of a session.
 */
export async function readViewer(
  services: Services,
  { client, network, isQuiet = false }: { client: Client; network: string; isQuiet?: boolean },
): Promise<ViewerContext> {
  const { accessToken } = client
  if (accessToken !== null) {
    return readAccessToken(services, { secret: accessToken, network })
  }
  const token = client.cookies.get('access_token') ?? client.bearer
  const found = token === null ? null : await readSession(services, token, isQuiet)
  return { viewer: { kind: 'visitor' }, session: null, ...found, token: null }
}

/** Size limit of a JSON request, in bytes. */
export const JSON_LIMIT = 65_536

/** Refuses a body over `maxBytes` with the code `tooLarge`: before it is read if it says its length, or while it is. */
export function limitBody(maxBytes: number, tooLarge: ErrorCode = 'body_too_large'): Middleware {
  return async (c, next) => {
    if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw new AppError(tooLarge)
    c.set('bodyCap', { maxBytes, tooLarge })
    await next()
  }
}

/** The body as bytes; requires `limitBody` before it. */
export async function readBytes(c: HttpContext): Promise<Buffer<ArrayBuffer>> {
  const { bodyCap } = c.var
  if (bodyCap === undefined) throw new Error('A body is read without a limit.')
  try {
    return await readCapped(c.req.raw.body, bodyCap)
  } catch (error) {
    if (error instanceof OverCapError) throw new AppError(bodyCap.tooLarge)
    // A client that disconnected half-way is not a defect of ours.
    throw error instanceof AppError ? error : new AppError('invalid_input')
  }
}

/** The body as text; requires `limitBody` before it. */
export async function readText(c: HttpContext): Promise<string> {
  return new TextDecoder().decode(await readBytes(c))
}

/** A content type without its parameters. */
export function bareType(type: string | null | undefined): string {
  return type?.split(';')[0]?.trim().toLowerCase() ?? ''
}
