import type { ErrorCode } from '#contract/base/errors.ts'
import {
  checkLimit,
  consume,
  consumeSearch,
  consumeToken,
  type LimitName,
} from '#server/kernel/limits/rate-limit.ts'
import { setupSteps } from '#server/kernel/security/setup-steps.ts'
import { assertScope, assertValidToken } from '#server/kernel/security/token-scopes.ts'
import type { AsProvider, AsStaff, Context, SignedIn, Viewer } from './context.ts'
import { knownFailure, toTrpcError } from './failures.ts'
import { countDenial } from './jobs/audit-store.ts'
import { type Access, isOpen, type Principal } from './kernel/access.ts'
import type { AuditEvent } from './kernel/audit.ts'
import { AppError } from './kernel/errors.ts'

function principalOf(viewer: Viewer): Principal {
  return viewer.kind === 'staff' ? viewer.role : viewer.kind
}

/** Beyond the search limit a network is asked to pass a CAPTCHA instead of being refused. */
function consumeLimit(ctx: Context, limit: LimitName): void {
  // A script cannot pass a CAPTCHA; its token is limited instead.
  if (ctx.token !== null) consumeToken(ctx, limit, ctx.token)
  else if (limit === 'search' && ctx.config.captcha) consumeSearch(ctx)
  else consume(ctx, limit)
}

/**
 * Checks who may call. Counts nothing, so that it can run before the body of a request is read. Throws
 * the refusal as an `AppError`.
 */
function assertAllowed(ctx: Context, access: Access): void {
  assertValidToken(ctx.token)
  if (!access.may.includes(principalOf(ctx.viewer))) {
    const isVisitor = ctx.viewer.kind === 'visitor'
    throw new AppError(isVisitor ? 'sign_in_required' : (access.refusal ?? 'forbidden'))
  }
  assertScope(ctx.token, access)
  const step = ctx.session?.setupStep ?? null
  if (step !== null && !isOpen(access) && !access.during?.includes(step)) {
    throw new AppError(setupSteps[step])
  }
  if (access.stepUp === 'always' && (ctx.session?.steppedUpUntil ?? 0) <= ctx.now()) {
    throw new AppError('step_up_required')
  }
}

/** How often the database is checked for a network without a proof. */
const PROOF_RECHECK_SECONDS = 1

/**
 * Looks for a CAPTCHA proof given to another process before asking for one, because each process counts
 * searches by itself.
 */
export async function loadCaptchaProof(ctx: Context, { limit }: Access): Promise<void> {
  const { limiter, network, token, config } = ctx
  if (!config.captcha || token !== null || limit !== 'search') return
  if (limiter.isLifted(network) || checkLimit(ctx, 'search').allowed) return
  const recheckKey = `search_proof ${network}`
  if (limiter.exhaustedFor(recheckKey) > 0) return
  const until = await ctx.transaction((tx) => tx.attempts.findProof(network))
  if (until === null) limiter.markExhausted(recheckKey, PROOF_RECHECK_SECONDS)
  else limiter.lift(network, until - ctx.now())
}

/**
 * The first step of every call, of a procedure or of a route without one, such as uploads: rate limits, and who may
 * call. Throws the refusal as an `AppError`.
 */
export function admit(ctx: Context, path: string, access: Access): void {
  if (ctx.admitted.delete(path)) {
    assertAllowed(ctx, access)
    return
  }
  consume(ctx, access.budget ?? 'all')
  assertValidToken(ctx.token)
  if (ctx.token !== null) consumeToken(ctx, 'token', ctx.token)
  assertAllowed(ctx, access)
  if (access.limit !== undefined) consumeLimit(ctx, access.limit)
}

/**
 * Admits a call before its body is read, so that a refused request costs no reading or parsing. The call
 * itself passes `admit` too, and is then not counted again.
 */
export function admitEarly(ctx: Context, path: string, access: Access): void {
  admit(ctx, path, access)
  ctx.admitted.add(path)
}

/** Refusals because of who is calling; each is audited. */
const AUDITED_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
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

/** Maximum length of a refused path in the audit log. */
const MAX_AUDITED_PATH = 100

/** Which token was refused and why; its owner becomes the actor. */
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
 * Counts the refusal of an unknown caller. Anybody may be refused as often as their rate limit allows, so a
 * permanent row for each would be too many.
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
 * Audits the refusal of a known caller, and counts that of an unknown one. If the database is busy this
 * throws `busy`; the call is never allowed.
 */
export async function auditDenial(ctx: Context, path: string, error: unknown): Promise<void> {
  const code = knownFailure(error)?.code
  if (code === undefined || !AUDITED_CODES.has(code)) return
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
 * Runs `work` of a route without a procedure like a procedure: refusals are audited, and failures thrown as
 * `TRPCError`s.
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
 * Counts and audits a refusal that happened before `admit`: recording it costs as much as a call. Returns the
 * refusal, or the error that prevented counting or recording it.
 */
export async function recordEarlyRefusal(
  ctx: Context,
  path: string,
  refusal: unknown,
): Promise<unknown> {
  try {
    consume(ctx, 'all')
    await auditDenial(ctx, path, refusal)
    return refusal
  } catch (stronger) {
    return stronger
  }
}

/** Narrows the context of a route outside tRPC to a session, as `signedInProcedure` does. */
export function asSignedIn(ctx: Context): SignedIn {
  const { session } = ctx
  if (session === null) throw new AppError('sign_in_required')
  return { ...ctx, session }
}

/** The same for a route that only admits providers. */
export function asProvider(ctx: Context): AsProvider {
  const { viewer } = ctx
  if (viewer.kind !== 'provider') throw new AppError('forbidden')
  return { ...asSignedIn(ctx), viewer }
}

/** The same for a route that only admits staff. */
export function asStaff(ctx: Context): AsStaff {
  const { viewer } = ctx
  if (viewer.kind !== 'staff') throw new AppError('forbidden')
  return { ...asSignedIn(ctx), viewer }
}
