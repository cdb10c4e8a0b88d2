import { arrivedContext, withSession } from '#server/asking.ts'
import { type Context, makeContext, type Services } from '#server/context.ts'
import type { Answers, HeaderMap } from '#server/kernel/answer.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isOwnRequest } from '#server/kernel/origin.ts'
import { spend } from '#server/kernel/rate-limit.ts'
import { takeTurn } from '#server/once.ts'
import { auditDenial, refuseUnlessAllowed } from '#server/trpc.ts'
import { doorAt, enterDoor } from '#server/uploads.ts'
import type { Given, ProcedureCall } from './call.ts'
import { readQuery, readSent } from './read-request.ts'
import { refusalOf } from './refusal.ts'

export type Arrived = {
  request: Request
  network: string
  call: ProcedureCall
  params: Readonly<Record<string, string>>
}

/** The caller's own id, as the paths of the specification carry it. */
function ownId({ session, viewer }: Context, is: 'user' | 'provider'): string | null {
  if (is === 'user') return session?.userId ?? null
  return viewer.kind === 'provider' ? viewer.id : null
}

/** Passes the matrix row that decides about a call, or throws its refusal. */
function admit(ctx: Context, call: ProcedureCall): void {
  const door = call.doorFor(ctx.viewer)
  if (door.startsWith('/')) enterDoor(ctx, doorAt(door))
  else refuseUnlessAllowed(ctx, door)
}

/** An id in the path is only ever compared: whose things are touched follows from the session. */
async function assertOwn(ctx: Context, { call, params }: Arrived): Promise<void> {
  const { own } = call
  if (own === null || ctx.session === null) return
  if (ownId(ctx, own.is) === params[own.param]) return
  admit(ctx, call)
  const details = { code: 'not_found' }
  await ctx.record({ action: 'call.denied', outcome: 'denied', entity: call.path, details })
  throw new AppError('not_found')
}

/** What procedures refuse has passed their guard; what is refused before them passes it here. */
function guarded(ctx: Context, call: ProcedureCall, refusal: unknown): unknown {
  if (!(refusal instanceof AppError)) return refusal
  try {
    admit(ctx, call)
    return refusal
  } catch (stronger) {
    return stronger
  }
}

/** Several writes are done once together; then none of them has a key of its own. */
async function answerOnce(given: Given, call: ProcedureCall): Promise<unknown> {
  const { ctx, ...input } = given
  // Before the first of several acts, as its last one is what the call is about.
  if (!call.doorFor(ctx.viewer).startsWith('/')) admit(ctx, call)
  const path = `rest.${call.method} ${call.path}`
  const turn = await takeTurn(ctx, { path, getRawInput: () => Promise.resolve(input) })
  if (turn === null) return call.answerTo(given)
  if (turn.kind === 'repeat') {
    spend(ctx, 'all')
    return turn.data
  }
  const client = { ...ctx.client, idempotencyKey: null }
  try {
    const data = await call.answerTo({ ...input, ctx: makeContext(ctx, { ...ctx, client }) })
    await turn.end({ ok: true, data })
    return data
  } catch (error) {
    await turn.end({ ok: false })
    throw error
  }
}

/** What came from another site counts as a call: writing it down costs as much. */
function foreign(ctx: Context): AppError {
  try {
    spend(ctx, 'all')
    return new AppError('foreign_origin')
  } catch (limited) {
    if (limited instanceof AppError) return limited
    throw limited
  }
}

async function refuse(
  answers: Answers,
  ctx: Context,
  failed: { call: ProcedureCall; error: unknown },
): Promise<Response> {
  const { call, error } = failed
  // Procedures write down what they refuse; this is what they never saw.
  if (error instanceof AppError) await auditDenial(ctx, call.path, error)
  return withReply(refusalOf(answers, { ctx, call, error }), ctx)
}

/** Adds what use cases asked for: cookies, and what a browser is to forget. */
function withReply(response: Response, ctx: Context): Response {
  for (const [name, value] of ctx.reply.headers) response.headers.append(name, value)
  return response
}

function good(answers: Answers, { request, call }: Arrived, answered: Answered): Response {
  const { ctx, data } = answered
  const body = JSON.stringify(data)
  const headers: HeaderMap = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': ctx.requestId,
    ...call.headers,
  }
  if (call.cache !== null) {
    return answers.cacheable(request, body, { ...headers, 'cache-control': call.cache })
  }
  return withReply(answers.text(request, call.status, { body, headers }), ctx)
}

type Answered = { ctx: Context; data: unknown }

async function answerTo(ctx: Context, arrived: Arrived): Promise<Answered> {
  const { request, call, params } = arrived
  await assertOwn(ctx, arrived)
  const query = readQuery(new URL(request.url).searchParams)
  const given = { ctx, params, query, body: await readSent(request, call) }
  const data = await (call.isComposite ? answerOnce(given, call) : call.answerTo(given))
  return { ctx, data }
}

/** Answers one call of the table. */
export async function answerCall(
  services: Services,
  answers: Answers,
  arrived: Arrived,
): Promise<Response> {
  const { request, network, call } = arrived
  const visitor = arrivedContext(services, request, network)
  if (call.isWrite && !isOwnRequest(request, services.config)) {
    return refuse(answers, visitor, { call, error: foreign(visitor) })
  }
  let ctx = visitor
  try {
    ctx = await withSession(services, visitor)
    return good(answers, arrived, await answerTo(ctx, arrived))
  } catch (error) {
    return refuse(answers, ctx, { call, error: guarded(ctx, call, error) })
  }
}
