import { getTRPCErrorShape } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { appRouter } from './app-router.ts'
import { arrivedContext, withSession } from './asking.ts'
import type { Context, Services } from './context.ts'
import { type Answers, BUSY_RETRY_SECONDS, type HeaderMap } from './kernel/answer.ts'
import { JSON_LIMIT, readBody } from './kernel/body.ts'
import { AppError } from './kernel/errors.ts'
import { parseStrictJson } from './kernel/json.ts'
import { isOwnRequest } from './kernel/origin.ts'
import { spend } from './kernel/rate-limit.ts'
import { procedures } from './procedures.ts'
import { auditDenial, toTrpcError } from './trpc.ts'
import { runSteps } from './trpc-steps.ts'

/** Calls in one HTTP request. The limiter counts them one by one all the same. */
const MAX_BATCH = 10

/** Bytes, where an input needs less than the common limit. */
const tightLimits = new Map([['messages.contact', 10_240]])

/** Public answers that may be kept, and for how long. Everything else is `no-store`. */
const cachedAnswers = new Map([
  ['search.specialities', 'public, max-age=86400'],
  ['gallery.homepage', 'no-cache'],
])

/** What open pages ask by themselves: it does not keep a session alive that nobody uses. */
const quiet = new Set(['auth.standing'])

/** Characters of a refused path that are worth keeping. */
const MAX_AUDITED_PATH = 100

const JSON_TYPE = 'application/json; charset=utf-8'

type Plan = { calls: Call[]; isBatch: boolean }

type Call = { path: string; input: unknown; index: number }

/** One call's answer as the JSON text of the wire, and its status. */
type Outcome = { status: number; text: string; retryAfter: number }

type Exchange = { request: Request; ctx: Context; answers: Answers }

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname.slice('/trpc/'.length))
  } catch {
    throw new AppError('not_found')
  }
}

function assertJson(request: Request): void {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(?:;|$)/i.test(type)) throw new AppError('unsupported_media_type')
}

/** HEAD is GET whose body stays here. */
function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

async function rawInput(request: Request, url: URL, paths: string[]): Promise<string | null> {
  if (isRead(request)) return url.searchParams.get('input')
  const limit = Math.min(JSON_LIMIT, ...paths.map((path) => tightLimits.get(path) ?? JSON_LIMIT))
  const text = await readBody(request, limit)
  return text === '' ? null : text
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One key names one act: a batch would leave it open which of its calls was meant. */
function keyOnBatch(): AppError {
  const message = 'Send a call with a key on its own, not in a batch.'
  return new AppError('invalid_input', {}, { issues: [{ path: 'Idempotency-Key', message }] })
}

/** What a request asks for, before anything of it is run. */
async function readPlan({ request, ctx }: Exchange): Promise<Plan> {
  if (!isRead(request)) {
    if (!isOwnRequest(request, ctx.config)) throw new AppError('foreign_origin')
    assertJson(request)
  }
  const url = new URL(request.url)
  const isBatch = url.searchParams.get('batch') === '1'
  const path = decodePath(url.pathname)
  const paths = isBatch ? path.split(',') : [path]
  if (paths.length > MAX_BATCH) throw new AppError('batch_too_large')
  if (isBatch && ctx.client.idempotencyKey !== null) throw keyOnBatch()
  const text = await rawInput(request, url, paths)
  const input = text === null ? undefined : parseStrictJson(text)
  if (!isBatch) return { calls: [{ path, input, index: 0 }], isBatch }
  if (input !== undefined && !isRecord(input)) throw new AppError('invalid_input')
  const calls = paths.map((one, index) => ({ path: one, input: input?.[String(index)], index }))
  return { calls, isBatch }
}

function failed(ctx: Context, cause: unknown, path: string | undefined): Outcome {
  const error = toTrpcError(cause, { ctx, path })
  const shape = getTRPCErrorShape({
    config: appRouter._def._config,
    error,
    type: procedures.get(path ?? '')?.type ?? 'unknown',
    path,
    input: undefined,
    ctx,
  })
  const seconds = error.cause instanceof AppError ? error.cause.details['retryAfterSeconds'] : 0
  const status = getHTTPStatusCodeFromError(error)
  return {
    status,
    text: JSON.stringify({ error: shape }),
    retryAfter: Number(seconds ?? (status === 503 ? BUSY_RETRY_SECONDS : 0)),
  }
}

async function run({ request, ctx }: Exchange, call: Call): Promise<Outcome> {
  const procedure = procedures.get(call.path)
  try {
    if (procedure === undefined) throw new AppError('not_found')
    const { type, steps } = procedure
    if (isRead(request) === (type === 'mutation')) throw new AppError('method_not_allowed')
    const { path, input, index } = call
    const data = await runSteps(steps, { path, type, batchIndex: index }, { ctx, input })
    return { status: 200, text: JSON.stringify({ result: { data } }), retryAfter: 0 }
  } catch (error) {
    return failed(ctx, error, call.path)
  }
}

function cacheControl({ calls }: Plan): string | undefined {
  const [only, ...others] = calls
  return only !== undefined && others.length === 0 ? cachedAnswers.get(only.path) : undefined
}

/** One status for all, or 207 when the calls of a batch ended differently. */
function commonStatus(outcomes: Outcome[]): number {
  const [first, ...others] = outcomes
  if (first === undefined) return 200
  return others.every((other) => other.status === first.status) ? first.status : 207
}

function headersFor(ctx: Context, status: number, outcomes: Outcome[]): HeaderMap {
  const headers: HeaderMap = { 'content-type': JSON_TYPE, 'x-request-id': ctx.requestId }
  const retryAfter = Math.max(...outcomes.map((outcome) => outcome.retryAfter))
  if (retryAfter > 0) headers['retry-after'] = String(retryAfter)
  if (status === 405) headers['allow'] = 'GET, POST'
  // What is left of an oversized body is not waited for.
  if (status === 413) headers['connection'] = 'close'
  return headers
}

/** Adds what use cases asked for: cookies, and what a browser is to forget. */
function withReply(response: Response, ctx: Context): Response {
  for (const [name, value] of ctx.reply.headers) response.headers.append(name, value)
  return response
}

/** What is refused before any call counts as one: writing it down costs as much. */
function counted(ctx: Context, refusal: unknown): unknown {
  try {
    spend(ctx, 'all')
    return refusal
  } catch (limited) {
    return limited
  }
}

/** The refusal, once it is written down; or why it could not be, which is no reason to say yes. */
async function writtenDown(ctx: Context, path: string, refusal: unknown): Promise<unknown> {
  try {
    await auditDenial(ctx, path.slice(0, MAX_AUDITED_PATH), refusal)
    return refusal
  } catch (failure) {
    return failure
  }
}

async function exchange(arrived: Exchange, services: Services): Promise<Response> {
  const { request, answers } = arrived
  let plan: Plan
  let ctx = arrived.ctx
  try {
    plan = await readPlan(arrived)
    const isQuiet = plan.calls.every(({ path }) => quiet.has(path))
    ctx = await withSession(services, ctx, isQuiet)
  } catch (thrown) {
    const { pathname } = new URL(request.url)
    const error = await writtenDown(ctx, pathname, counted(ctx, thrown))
    const outcome = failed(ctx, error, undefined)
    const headers = headersFor(ctx, outcome.status, [outcome])
    return answers.text(request, outcome.status, { body: outcome.text, headers })
  }
  const parts = { request, ctx, answers }
  const outcomes = await Promise.all(plan.calls.map((call) => run(parts, call)))
  const status = commonStatus(outcomes)
  const headers = headersFor(ctx, status, outcomes)
  const texts = outcomes.map((outcome) => outcome.text).join(',')
  const body = plan.isBatch ? `[${texts}]` : texts
  const kept = status === 200 ? cacheControl(plan) : undefined
  if (kept === undefined) return withReply(answers.text(request, status, { body, headers }), ctx)
  return answers.cacheable(request, body, { ...headers, 'cache-control': kept })
}

/**
 * Answers `/trpc/*`: the wire format of tRPC (single and batched calls over JSON), without the
 * streams and content types of its own adapter, which cost several times the call itself.
 */
export function makeTrpcHandler(services: Services, answers: Answers) {
  return (request: Request, network: string): Promise<Response> => {
    const ctx = arrivedContext(services, request, network)
    return exchange({ request, ctx, answers }, services)
  }
}
