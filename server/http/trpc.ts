import type { TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import {
  getHTTPStatusCodeFromError,
  type ResponseMeta,
  type TRPCRequestInfo,
} from '@trpc/server/http'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { recordEarlyRefusal } from '#server/admission.ts'
import { appRouter } from '#server/app-router.ts'
import type { Context } from '#server/context.ts'
import { errorShape, knownFailure, toTrpcError } from '#server/failures.ts'
import { isOpen } from '#server/kernel/access.ts'
import { AppError } from '#server/kernel/errors.ts'
import { consume } from '#server/kernel/limits/rate-limit.ts'
import { parseStrictJson } from '#server/kernel/wire/input.ts'
import { accessTo, procedures } from '#server/procedures.ts'
import { retryAfterSeconds } from './errors.ts'
import type { HttpContext, HttpEnv, Middleware } from './request-context.ts'
import { bareType, JSON_LIMIT, limitBody, readText, sameOrigin, session } from './route-guards.ts'

const ENDPOINT = '/trpc'

const METHODS = 'GET, POST'

/** Maximum calls in one HTTP request. Rate limits still count each call. */
const MAX_BATCH = 10

/** The procedures a request calls, by their dotted paths. Throws `not_found` at invalid percent-encoding. */
function calledPaths({ req }: HttpContext): string[] {
  try {
    return decodeURIComponent(req.path.slice(ENDPOINT.length + 1)).split(',')
  } catch {
    throw new AppError('not_found')
  }
}

/** Refuses oversized batches before the body is read. */
const limitBatch: Middleware = async (c, next) => {
  if (calledPaths(c).length > MAX_BATCH) throw new AppError('batch_too_large')
  await next()
}

/** The limit of a request's body in bytes: the lowest of its calls. */
function bodyLimitOf(c: HttpContext): number {
  const limits = calledPaths(c).map((path) => procedures.get(path)?.meta.bodyLimit ?? JSON_LIMIT)
  return Math.min(...limits)
}

/**
 * Whether the caller is not signed in and every call requires it. Each is then refused before
 * it looks at its input, so the body need not be read.
 */
function isRefusedBeforeReading(c: HttpContext): boolean {
  if (c.var.ctx.viewer.kind !== 'visitor') return false
  return calledPaths(c).every((path) => procedures.has(path) && !isOpen(accessTo(path)))
}

const limitByProcedure: Middleware = (c, next) =>
  isRefusedBeforeReading(c) ? next() : limitBody(bodyLimitOf(c))(c, next)

/** tRPC also accepts forms and byte streams; none of our procedures does. */
const jsonOnly: Middleware = async (c, next) => {
  if (bareType(c.req.header('content-type')) !== 'application/json') {
    throw new AppError('unsupported_media_type')
  }
  await next()
}

/** A streamed response starts before its procedures have set their cookies. */
function isStreamed({ headers }: Request): boolean {
  return headers.has('trpc-accept') || (headers.get('accept') ?? '').includes('application/jsonl')
}

/** A body of unknown or excessive length. */
function isLong({ headers }: Request): boolean {
  const length = headers.get('content-length')
  return length === null || Number(length) > JSON_LIMIT
}

/** The request for the adapter, once its JSON has been checked; HEAD as GET. */
async function strictRequest(c: HttpContext): Promise<Request> {
  const { raw } = c.req
  if (isStreamed(raw)) throw new AppError('unsupported_media_type')
  if (raw.method === 'POST') {
    const text = isRefusedBeforeReading(c) ? '' : await readText(c)
    const body = text === '' ? undefined : parseStrictJson(text)
    // No other `Request` can say both: its JSON is strict, and an empty body is no input instead of an error.
    return Object.defineProperty(raw, 'json', { value: () => Promise.resolve(body) })
  }
  const input = new URL(raw.url).searchParams.get('input')
  if (input !== null) parseStrictJson(input)
  return raw.method === 'HEAD' ? new Request(raw, { method: 'GET' }) : raw
}

/** A key names one write; in a batch it would be ambiguous. */
function assertNoKeyOnBatch({ client }: Context, { isBatchCall }: TRPCRequestInfo): void {
  if (!isBatchCall || client.idempotencyKey === null) return
  const message = 'Send a call with a key on its own, not in a batch.'
  throw new AppError('invalid_input', {}, { issues: [{ path: 'Idempotency-Key', message }] })
}

/** Response headers for errors: Retry-After, Allow and Connection. */
function errorHeaders(errors: readonly TRPCError[]): Headers {
  const headers = new Headers()
  const waits = errors.map((error) => {
    const failure = knownFailure(error)
    return failure === null ? 0 : retryAfterSeconds(getHTTPStatusCodeFromError(error), failure)
  })
  const seconds = Math.max(0, ...waits)
  if (seconds > 0) headers.set('retry-after', String(seconds))
  if (errors.some(({ code }) => code === 'METHOD_NOT_SUPPORTED')) headers.set('allow', METHODS)
  // Closes the connection instead of waiting for the rest of an oversized body.
  if (errors.some(({ code }) => code === 'PAYLOAD_TOO_LARGE')) headers.set('connection', 'close')
  return headers
}

type Ended = { info: TRPCRequestInfo | undefined; errors: TRPCError[] }

function responseMeta(method: string, { info, errors }: Ended): ResponseMeta {
  const headers = errorHeaders(errors)
  const [only, ...others] = method === 'POST' ? [] : (info?.calls ?? [])
  const cached = only === undefined ? undefined : procedures.get(only.path)?.meta.cache
  if (cached !== undefined && others.length === 0 && errors.length === 0) {
    headers.set('cache-control', cached)
  }
  return { headers }
}

async function answer(c: HttpContext): Promise<Response> {
  const { ctx } = c.var
  const refusals: TRPCError[] = []
  let uncounted = 0
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    router: appRouter,
    req: await strictRequest(c),
    maxBatchSize: MAX_BATCH,
    // Reads whose input is too long for a URL.
    allowMethodOverride: true,
    createContext({ info }) {
      assertNoKeyOnBatch(ctx, info)
      return ctx
    },
    onError({ error, path, ctx: reached }) {
      if (reached === undefined) refusals.push(error)
      // Logs failures outside the procedure, such as a result that cannot be serialized as JSON.
      else toTrpcError(error, { ctx, path })
      // An error of tRPC's own has no cause: it found no procedure, which would have counted the call.
      if (reached !== undefined && error.cause === undefined) uncounted += 1
    },
    responseMeta: (ended) => responseMeta(c.req.method, ended),
  })
  const [refusal] = refusals
  if (refusal !== undefined) throw knownFailure(refusal) ?? refusal
  for (let call = 0; call < uncounted; call += 1) consume(ctx, 'all')
  if (c.req.method === 'POST' && isRefusedBeforeReading(c) && isLong(c.req.raw)) {
    // Closes the connection instead of waiting for the rest of the body.
    response.headers.set('connection', 'close')
  }
  return response
}

/** The response, in tRPC's own format, to a request of which no call was run. */
async function refuse(thrown: unknown, c: HttpContext): Promise<Response> {
  const { ctx } = c.var
  const path = c.req.path
  const refusal = thrown instanceof AppError ? await recordEarlyRefusal(ctx, path, thrown) : thrown
  const error = toTrpcError(refusal, { ctx, path })
  const shape = errorShape(error, ctx.requestId)
  return new Response(JSON.stringify({ error: shape }), {
    status: shape.data.httpStatus,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(errorHeaders([error])) },
  })
}

const otherMethod: Middleware = () => {
  throw new AppError('method_not_allowed')
}

/** The routes below `/trpc`: tRPC's own adapter behind our middleware chain. */
export function trpcRoutes(): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  for (const [path, { meta }] of procedures) {
    if (meta.cache !== undefined) routes.get(`/${path}`, etag({ weak: true }))
  }
  routes.get('/*', limitBatch, session, answer)
  routes.post('/*', sameOrigin, jsonOnly, limitBatch, session, limitByProcedure, answer)
  routes.all('/*', otherMethod)
  routes.onError(refuse)
  return routes
}
