import type { ErrorCode } from '#contract/errors.ts'
import {
  consume,
  consumeSearch,
  consumeToken,
  type LimitName,
} from '#server/kernel/limits/rate-limit.ts'
import { assertAlive, assertScope } from '#server/kernel/security/token-scopes.ts'
import type { Context, Viewer } from './context.ts'
import { knownFailure, toTrpcError } from './failures.ts'
import { countDenial } from './jobs/audit-store.ts'
import { type AccessRow, accessTable, type Principal } from './kernel/access.ts'
import type { AuditEvent } from './kernel/audit.ts'
import { AppError } from './kernel/errors.ts'

function principalOf(viewer: Viewer): Principal {
  return viewer.kind === 'staff' ? viewer.role : viewer.kind
}

/** A network that searches a lot is asked to prove that a person does, instead of being sent away. */
function consumeOwn(ctx: Context, limit: LimitName): void {
  // A script cannot prove that it is a person; it is known by its token instead.
  if (ctx.token !== null) consumeToken(ctx, limit, ctx.token)
  else if (limit === 'search' && ctx.config.captcha) consumeSearch(ctx)
  else consume(ctx, limit)
}

function isOpenToFirstPassword(row: AccessRow): boolean {
  return row.withFirstPassword === true || row.may.includes('visitor')
}

/**
 * The access matrix: whether whoever calls may do so at all. Counts nothing, so that it can be asked
 * before the body of a request is read. Throws the refusal as an `AppError`.
 */
function assertAllowed(
  ctx: Context,
  path: string,
  row: AccessRow | undefined = accessTable.get(path),
): void {
  assertAlive(ctx.token)
  if (row === undefined) throw new AppError('forbidden')
  if (!row.may.includes(principalOf(ctx.viewer))) {
    const isVisitor = ctx.viewer.kind === 'visitor'
    throw new AppError(isVisitor ? 'sign_in_required' : (row.refusal ?? 'forbidden'))
  }
  assertScope(ctx.token, path)
  const isOpenInSetup = row.duringSetup === true || row.may.includes('visitor')
  if (ctx.session?.mustChangePassword === true && !isOpenToFirstPassword(row)) {
    throw new AppError('password_change_required')
  }
  if (ctx.session?.mustSetSecondFactor === true && !isOpenInSetup) {
    throw new AppError('second_factor_setup_required')
  }
  if (row.stepUp === 'always' && (ctx.session?.steppedUpUntil ?? 0) <= ctx.now()) {
    throw new AppError('step_up_required')
  }
}

/** A network that goes on without a proof is looked up this often. */
const PROOF_AGAIN_SECONDS = 1

/**
 * Learns of a proof that another process was given, before this one asks for another: the limits of
 * searches are counted by each for itself.
 */
export async function learnProof(ctx: Context, path: string): Promise<void> {
  const { limiter, network, token, config } = ctx
  if (!config.captcha || token !== null || accessTable.get(path)?.limit !== 'search') return
  if (limiter.isLifted(network) || limiter.look('search', network).allowed) return
  const asked = `search_proof ${network}`
  if (limiter.exhaustedFor(asked) > 0) return
  const until = await ctx.transaction((tx) => tx.attempts.findProof(network))
  if (until === null) limiter.markExhausted(asked, PROOF_AGAIN_SECONDS)
  else limiter.lift(network, until - ctx.now())
}

/**
 * What every call of a procedure passes first: the limits and the access matrix. Routes that are no
 * procedures, such as uploads, bring a row of their own. Throws the refusal as an `AppError`.
 */
export function admit(
  ctx: Context,
  path: string,
  row: AccessRow | undefined = accessTable.get(path),
): void {
  if (ctx.admitted.delete(path)) {
    assertAllowed(ctx, path, row)
    return
  }
  consume(ctx, row?.budget ?? 'all')
  assertAlive(ctx.token)
  if (ctx.token !== null) consumeToken(ctx, 'token', ctx.token)
  assertAllowed(ctx, path, row)
  if (row?.limit !== undefined) consumeOwn(ctx, row.limit)
}

/**
 * Admits before the body of a request is read: whoever is refused costs no reading, and no parsing. The
 * call itself, which passes `admit` like every other, is then not counted again.
 */
export function admitEarly(ctx: Context, path: string, row?: AccessRow): void {
  admit(ctx, path, row)
  ctx.admitted.add(path)
}

/** Refusals of who is calling, whatever for; each is written down. */
const DENIALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'sign_in_required',
  'forbidden',
  'patients_only',
  'superusers_only',
  'admins_only',
  'editors_only',
  'refund_over_limit',
  'foreign_origin',
  'step_up_required',
  'second_factor_setup_required',
  'access_token_invalid',
  'access_token_scope',
  'access_token_never',
  'password_change_required',
])

/** Characters of a refused path that are worth keeping. */
const MAX_AUDITED_PATH = 100

/** Which token was refused, and what was wrong with it; whose it was is the actor then. */
function tokenFacts({
  token,
}: Context): Pick<AuditEvent, 'actor'> & { details: AuditEvent['details'] } {
  if (token === null) return { details: {} }
  const { id, fault } = token
  const details = { ...(id === null ? {} : { token: id }), ...(fault === null ? {} : { fault }) }
  return token.fault === null || token.owner === null
    ? { details }
    : { details, actor: token.owner }
}

const MINUTE_MS = 60_000

/**
 * Counts a refusal of somebody nobody knows. Anybody can be refused as often as their budget allows: a
 * row for each would be kept for ever.
 */
export async function countStranger(ctx: Context, path: string, code: ErrorCode): Promise<void> {
  await countDenial(ctx.database.db, {
    minute: Math.floor(ctx.now() / MINUTE_MS),
    network: ctx.network,
    path: path.slice(0, MAX_AUDITED_PATH),
    code,
  })
}

/**
 * Audits a refusal of somebody who is known, and counts one of a stranger; a database that is busy makes
 * it `busy`, never a yes.
 */
export async function auditDenial(ctx: Context, path: string, error: unknown): Promise<void> {
  const code = knownFailure(error)?.code
  if (code === undefined || !DENIALS.has(code)) return
  ctx.log.warn({ path, requestId: ctx.requestId, viewer: ctx.viewer.kind, denied: code }, 'denied')
  const { actor, details } = tokenFacts(ctx)
  if (ctx.viewer.kind === 'visitor' && actor === undefined) return countStranger(ctx, path, code)
  await ctx.record({
    action: 'call.denied',
    outcome: 'denied',
    entity: path.slice(0, MAX_AUDITED_PATH),
    details: { code, ...details },
    ...(actor === undefined ? {} : { actor }),
  })
}

/**
 * Runs `work` of a route that is no procedure as a procedure would be run: its refusals are audited, and
 * its failures thrown as `TRPCError`s.
 */
export async function audited<T>(
  ctx: Context,
  path: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await auditDenial(ctx, path, error)
    throw toTrpcError(error, { ctx, path })
  }
}

/**
 * Counts and audits what was refused before `admit` could do both: writing it down costs as much as a
 * call. Gives the refusal, or why it could not be counted or written down.
 */
export async function refusedEarly(ctx: Context, path: string, refusal: unknown): Promise<unknown> {
  try {
    consume(ctx, 'all')
    await auditDenial(ctx, path, refusal)
    return refusal
  } catch (stronger) {
    return stronger
  }
}
