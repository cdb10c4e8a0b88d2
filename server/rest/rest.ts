import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { admitEarly, auditDenial } from '#server/admission.ts'
import { type Context, makeContext, type Services } from '#server/context.ts'
import { errorResponse, methodNotAllowed, notFound } from '#server/http/errors.ts'
import type { HttpContext, HttpEnv, Middleware } from '#server/http/request-context.ts'
import { sameOrigin, session } from '#server/http/route-guards.ts'
import { uploadAt } from '#server/http/uploads.ts'
import { beginIdempotent, Replay } from '#server/idempotency.ts'
import type { Access } from '#server/kernel/access.ts'
import { AppError } from '#server/kernel/errors.ts'
import { accessTo } from '#server/procedures.ts'
import { isOwnCall, type ProcedureCall, type RestCall, type RestRequest } from './call.ts'
import { restCalls } from './calls.ts'
import { limitFor, readQuery, readSent } from './read-request.ts'

/** A path in the router's syntax: `/api/doctors/{id}/` becomes `/api/doctors/:id`. */
function routeOf({ path }: RestCall): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
}

/** The path with uniform parameter names, so that equal paths of different calls match. */
function placeOf(call: RestCall): string {
  return routeOf(call).replaceAll(/:\w+/g, ':id')
}

function allowOf(calls: readonly RestCall[]): string {
  const methods = calls.map(({ method }) => method)
  return (methods.includes('GET') ? ['HEAD' as const, ...methods] : methods).toSorted().join(', ')
}

/** First segments of multi-segment paths; below these only calls are served. */
function foldersOf(places: Iterable<string>): Set<string> {
  const parts = [...places].map((place) => place.split('/').slice(1))
  return new Set(parts.flatMap(([first = '', ...rest]) => (rest.length > 0 ? first : [])))
}

/** The routes of all calls in the table, with and without a trailing slash. */
export function restRoutes(services: Services): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  for (const call of restCalls) {
    if (isOwnCall(call)) routes.on(call.method, routeOf(call), ...call.make(services))
    else routes.route('/', callRoutes(call, routeOf(call)))
  }
  const places = Map.groupBy(restCalls, placeOf)
  for (const [place, calls] of places) routes.all(place, methodNotAllowed(allowOf(calls)))
  for (const folder of foldersOf(places.keys())) routes.all(`/${folder}/*`, notFound)
  return routes
}

/** The caller's own id, of the kind used in the documented paths. */
function ownId({ session: own, viewer }: Context, is: 'user' | 'provider'): string | null {
  if (is === 'user') return own?.userId ?? null
  return viewer.kind === 'provider' ? viewer.id : null
}

/** Who may make a call: who may call its procedure, or its upload endpoint. */
function accessOf({ viewer }: Context, call: ProcedureCall): [path: string, access: Access] {
  const endpoint = call.endpointFor(viewer)
  const access = endpoint.startsWith('/') ? uploadAt(endpoint).row : accessTo(endpoint)
  return [endpoint, access]
}

/** Refuses callers without permission or over a rate limit before the body is read. */
function admitted(call: ProcedureCall): Middleware {
  return async (c, next) => {
    admitEarly(c.var.ctx, ...accessOf(c.var.ctx, call))
    await next()
  }
}

/** An id in the path is only compared: the data always follows from the session. */
function ownPath(call: ProcedureCall): Middleware {
  return async (c, next) => {
    const { ctx } = c.var
    const { own } = call
    if (own !== null && ctx.session !== null && ownId(ctx, own.is) !== c.req.param(own.param)) {
      const details = { code: 'not_found' }
      await ctx.record({ action: 'call.denied', outcome: 'denied', entity: call.path, details })
      throw new AppError('not_found')
    }
    await next()
  }
}

/** Runs several writes as one idempotent request; the single writes then get no key. */
async function answerOnce(request: RestRequest, call: ProcedureCall): Promise<unknown> {
  const { ctx, ...input } = request
  const path = `rest.${call.method} ${call.path}`
  const record = await beginIdempotent(ctx, { path, getRawInput: () => Promise.resolve(input) })
  if (record === null) return call.answerTo(request)
  const client = { ...ctx.client, idempotencyKey: null }
  try {
    const data = await call.answerTo({ ...input, ctx: makeContext(ctx, { ...ctx, client }) })
    await record.end({ ok: true, data })
    return data
  } catch (error) {
    await record.end({ ok: false })
    throw error
  }
}

/** The response of several writes, or the replayed first response. */
async function answerOrReplay(request: RestRequest, call: ProcedureCall): Promise<unknown> {
  try {
    return await answerOnce(request, call)
  } catch (error) {
    if (!(error instanceof Replay)) throw error
    return error.data
  }
}

function answer(call: ProcedureCall) {
  return async (c: HttpContext): Promise<Response> => {
    const { ctx } = c.var
    const query = readQuery(new URL(c.req.url).searchParams)
    const request = { ctx, params: c.req.param(), query, body: await readSent(c, call) }
    const data = await (call.isComposite ? answerOrReplay(request, call) : call.answerTo(request))
    if (call.cache !== null) c.header('cache-control', call.cache)
    return c.json(data, call.status, call.headers)
  }
}

/** The routes of one call. */
function callRoutes(call: ProcedureCall, route: string): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  if (call.cache !== null) routes.on(call.method, route, etag({ weak: true }))
  if (call.isWrite) routes.on(call.method, route, sameOrigin)
  routes.on(
    call.method,
    route,
    session,
    admitted(call),
    ownPath(call),
    limitFor(call),
    answer(call),
  )
  routes.onError(async (error, c) => {
    const { ctx } = c.var
    // Procedures have already audited their own refusals.
    if (error instanceof AppError) await auditDenial(ctx, call.path, error)
    return errorResponse(c, { error, path: call.path, words: call.words })
  })
  return routes
}
