import { initTRPC, TRPCError } from '@trpc/server'
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc'
import { middlewareMarker } from '@trpc/server/unstable-core-do-not-import'
import * as z from 'zod/mini'
import type { ErrorCode, ErrorData } from '#contract/errors.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { type StaffAct, whyNot } from '#contract/staff.ts'
import { isDatabaseOut } from '#db/failures.ts'
import type { Context, SignedIn, Viewer } from './context.ts'
import { type AccessRow, accessTable, type Principal } from './kernel/access.ts'
import type { AuditEvent } from './kernel/audit.ts'
import { AppError, UpstreamError } from './kernel/errors.ts'
import { inputRefusal } from './kernel/input-errors.ts'
import { type LimitName, spend, spendSearch, spendToken } from './kernel/rate-limit.ts'
import { assertAlive, assertScope } from './kernel/token-scopes.ts'
import { trpcCode } from './kernel/transport-codes.ts'
import { type Turn, takeTurn } from './once.ts'

/** Failures tRPC itself finds, before or beside a procedure. */
const ownCode: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: 'not_json',
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
  PAYLOAD_TOO_LARGE: 'body_too_large',
  BAD_REQUEST: 'invalid_input',
}

/** Any failure as one of ours; null when it is a defect. */
function knownFailure(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (isDatabaseOut(error)) return new AppError('busy', {}, { cause: error })
  if (error instanceof UpstreamError) {
    return new AppError('upstream_unavailable', {}, { cause: error })
  }
  if (!(error instanceof TRPCError)) return null
  if (error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError) {
    return inputRefusal(error.cause)
  }
  if (error.cause !== undefined) return knownFailure(error.cause)
  const code = ownCode[error.code]
  return code === undefined ? null : new AppError(code)
}

function isTranslated(error: unknown): error is TRPCError {
  return (
    error instanceof TRPCError &&
    error.cause instanceof AppError &&
    trpcCode[error.cause.code] === error.code
  )
}

type FailedCall = { ctx: Context; path: string | undefined }

/**
 * Translates whatever was thrown. Defects are logged whole and shown as a reference number; the
 * words and stack of the original never leave the server.
 */
export function toTrpcError(error: unknown, { ctx, path }: FailedCall): TRPCError {
  if (isTranslated(error)) return error
  const known = knownFailure(error)
  if (known === null || known.cause !== undefined) {
    const cause = error instanceof TRPCError ? (error.cause ?? error) : error
    ctx.log.error({ err: cause, path, requestId: ctx.requestId }, 'a call failed')
  }
  const failure = known ?? new AppError('internal', {}, { cause: error })
  return new TRPCError({
    code: trpcCode[failure.code],
    message: failure.message,
    cause: failure,
  })
}

const t = initTRPC.context<Context>().create({
  isDev: false,
  errorFormatter({ shape, error, ctx }) {
    const known = knownFailure(error)
    const data: ErrorData = {
      appCode: known?.code ?? 'internal',
      details: known?.details ?? {},
      issues: known?.issues ?? [],
      requestId: ctx?.requestId ?? '',
    }
    return {
      code: shape.code,
      message: known?.message ?? sentenceFor('internal'),
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, ...data },
    }
  },
})

export const router = t.router
export const createCallerFactory = t.createCallerFactory

function principalOf(viewer: Viewer): Principal {
  return viewer.kind === 'staff' ? viewer.role : viewer.kind
}

/** A network that searches a lot is asked to prove that a person does, instead of being sent away. */
function spendOwn(ctx: Context, limit: LimitName): void {
  // A script cannot prove that it is a person; it is known by its token instead.
  if (ctx.token !== null) spendToken(ctx, limit, ctx.token)
  else if (limit === 'search' && ctx.config.captcha) spendSearch(ctx)
  else spend(ctx, limit)
}

function isOpenToFirstPassword(row: AccessRow): boolean {
  return row.withFirstPassword === true || row.may.includes('visitor')
}

/**
 * What every call of a procedure passes first: the limits and the access matrix. Doors that are no
 * procedures, such as those for files, bring a row of their own. Throws the refusal.
 */
export function refuseUnlessAllowed(
  ctx: Context,
  path: string,
  row: AccessRow | undefined = accessTable.get(path),
): void {
  spend(ctx, row?.budget ?? 'all')
  assertAlive(ctx.token)
  if (ctx.token !== null) spendToken(ctx, 'token', ctx.token)
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
  if (row.limit !== undefined) spendOwn(ctx, row.limit)
}

/** Refusals of who is asking, whatever for; each leaves a row in the audit log. */
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

/** Writes a refusal down; a database that is busy meanwhile turns it into `busy`, never into a yes. */
export async function auditDenial(ctx: Context, path: string, error: unknown): Promise<void> {
  const code = knownFailure(error)?.code
  if (code === undefined || !DENIALS.has(code)) return
  ctx.log.warn({ path, requestId: ctx.requestId, viewer: ctx.viewer.kind, denied: code }, 'denied')
  const { actor, details } = tokenFacts(ctx)
  await ctx.record({
    action: 'call.denied',
    outcome: 'denied',
    entity: path,
    details: { code, ...details },
    ...(actor === undefined ? {} : { actor }),
  })
}

/** Every call of every procedure passes here once, so a batch of ten counts as ten. */
const guard = t.middleware(async ({ ctx, path, type, getRawInput, next }) => {
  let turn: Turn | null
  try {
    refuseUnlessAllowed(ctx, path)
    turn = type === 'mutation' ? await takeTurn(ctx, { path, getRawInput }) : null
  } catch (error) {
    await auditDenial(ctx, path, error)
    throw toTrpcError(error, { ctx, path })
  }
  if (turn?.kind === 'repeat') return { marker: middlewareMarker, ok: true, data: turn.data }
  const result = await next()
  await turn?.end(result)
  if (result.ok) return result
  await auditDenial(ctx, path, result.error)
  throw toTrpcError(result.error, { ctx, path })
})

/** The foot of the ladder: anybody. */
export const publicProcedure = t.procedure.use(guard)

type Known = Exclude<Viewer, { kind: 'visitor' }>

/** Somebody with an account. */
export const signedInProcedure = publicProcedure.use(({ ctx, next }) => {
  const { viewer } = ctx
  if (viewer.kind === 'visitor') throw new AppError('sign_in_required')
  return next({ ctx: { viewer: viewer satisfies Known } })
})

/** Somebody signed in with a session of their own, whatever kind of account that is. */
export const sessionProcedure = signedInProcedure.use(({ ctx, next }) => {
  const { session } = ctx
  if (session === null) throw new AppError('sign_in_required')
  return next({ ctx: { session: session satisfies SignedIn['session'] } })
})

/** A patient; what they may touch is theirs. */
export const patientProcedure = signedInProcedure.use(({ ctx, next }) => {
  const { viewer } = ctx
  if (viewer.kind !== 'patient') throw new AppError('forbidden')
  return next({ ctx: { viewer } })
})

/** A provider; what they may touch is theirs. */
export const providerProcedure = signedInProcedure.use(({ ctx, next }) => {
  const { viewer } = ctx
  if (viewer.kind !== 'provider') throw new AppError('forbidden')
  return next({ ctx: { viewer } })
})

/** Staff whose role may do this; without an act, whoever is on the staff. */
export function staffProcedure(act?: StaffAct) {
  return signedInProcedure.use(({ ctx, next }) => {
    const { viewer } = ctx
    if (viewer.kind !== 'staff') throw new AppError('forbidden')
    const refusal = act === undefined ? null : whyNot(act, viewer.role)
    if (refusal !== null) throw new AppError(refusal)
    return next({ ctx: { viewer } })
  })
}
