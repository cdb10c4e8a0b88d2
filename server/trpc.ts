import { initTRPC } from '@trpc/server'
import { accessFor, type StaffAction } from '#contract/base/staff.ts'
import { isDatabaseDown, isUnreachable } from '#db/failures.ts'
import { MAX_LAG_MS, type Replica } from '#db/replica.ts'
import { admit, auditDenial, loadCaptchaProof } from './admission.ts'
import type { Context, SignedIn } from './context.ts'
import { errorShape, knownFailure, toTrpcError } from './failures.ts'
import { beginIdempotent, type KeyOwner, Replay } from './idempotency.ts'
import { allAccounts, allStaff, anyone, type ProcedureMeta } from './kernel/access.ts'
import { AppError } from './kernel/errors.ts'

/** Cookie of a browser that has recently attempted a write, such as holding a time. */
const RECENT_WRITE = 'recent_write'

/** Longer than the replica's maximum lag plus the duration of a read. */
const RECENT_SECONDS = MAX_LAG_MS / 1_000 + 5

/** Cookie that marks a signed-in browser; rendered pages know nothing else of a session. */
const SIGNED_IN = 'user_id'

/** Makes this client read from the primary for a while. */
function rememberWrite({ database, reply }: Context): void {
  if (database.replica === null) return
  reply.cookie(RECENT_WRITE, '1', { maxAge: RECENT_SECONDS, isOptional: true })
}

/**
 * Whether the request must see recent writes of its own; anonymous clients without a recent write have none.
 */
function readsOwnWrites({ viewer, client: { cookies } }: Context): boolean {
  return viewer.kind !== 'visitor' || cookies.has(SIGNED_IN) || cookies.has(RECENT_WRITE)
}

/** The replica, if there is one and this request may read from it now. */
function usableReplica(ctx: Context): Replica | null {
  const { replica } = ctx.database
  return replica !== null && replica.isFresh() && !readsOwnWrites(ctx) ? replica : null
}

/**
 * Whether a read failed because of the replica, so that the primary may succeed: the replica is unreachable,
 * or replay cancelled the read. An unreachable replica is not used again until it has been measured.
 */
export function isReplicaFailure(replica: Replica, cause: unknown): boolean {
  if (isUnreachable(cause)) replica.leave()
  return isDatabaseDown(cause)
}

/** Counts a public read, in installations with a replica. */
function countRead({ database, metrics }: Context, from: 'replica' | 'primary' | 'retried'): void {
  if (database.replica !== null) metrics.publicReads.inc({ from })
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ error, ctx }) => errorShape(error, ctx?.requestId ?? ''),
  })

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/** Outcomes that are our failure rather than the caller's. */
const SERVER_FAILURES: ReadonlySet<string> = new Set(['internal', 'busy'])

/** Counts every call and its outcome, with a span for each; a batch of ten counts as ten. */
const counted = t.middleware(({ ctx: { metrics, tracing }, path, next }) =>
  tracing.run({ name: path, kind: 'internal' }, async (span) => {
    const end = metrics.callSeconds.startTimer({ call: path })
    const result = await next()
    end()
    const outcome = result.ok ? 'ok' : (knownFailure(result.error)?.code ?? 'internal')
    metrics.calls.inc({ call: path, outcome })
    span.setAttributes({ 'apposite.outcome': outcome })
    if (SERVER_FAILURES.has(outcome)) span.fail(outcome)
    return result
  }),
)

/** Audits and translates failures of the inner middleware; a replayed response is a success. */
const answered = t.middleware(async ({ ctx, path, next }) => {
  const result = await next()
  if (result.ok) return result
  const { cause } = result.error
  if (cause instanceof Replay) return { marker: result.marker, ok: true as const, data: cause.data }
  await auditDenial(ctx, path, result.error)
  throw toTrpcError(result.error, { ctx, path })
})

/** Admits every call once, so a batch of ten counts as ten. */
const admitted = t.middleware(async ({ ctx, path, meta, next }) => {
  const access = { ...meta, may: meta?.may ?? [] }
  await loadCaptchaProof(ctx, access)
  admit(ctx, path, access)
  return next()
})

/** Runs a write with an `Idempotency-Key` once; a repeated request ends here, by `Replay`. */
const idempotent = t.middleware(async ({ ctx, path, type, meta, getRawInput, next }) => {
  if (type !== 'mutation' || meta?.isSecret === true) return next()
  const record = await beginIdempotent(ctx, { path, getRawInput })
  const result = await next()
  await record?.end(result)
  return result
})

/** After a write attempt, the client reads from the primary for a while, to see its own writes. */
const remembered = t.middleware(({ ctx, type, next }) => {
  if (type === 'mutation') rememberWrite(ctx)
  return next()
})

/** Reads from the replica where allowed, and retries on the primary if that fails. */
const fromReplica = t.middleware(async ({ ctx, next }) => {
  const { database } = ctx
  const replica = usableReplica(ctx)
  if (replica === null) {
    countRead(ctx, 'primary')
    return next()
  }
  const result = await next({ ctx: { database: { ...database, db: replica.db } } })
  const isDone = result.ok || !isReplicaFailure(replica, result.error.cause)
  countRead(ctx, isDone ? 'replica' : 'retried')
  return isDone ? result : next()
})

const admittedOnce = t.procedure.use(counted).use(answered).use(admitted).use(idempotent)

/** Open to everybody, and the base of all others. A procedure adds conditions with `.meta()`. */
export const publicProcedure = admittedOnce.meta({ may: anyone }).use(remembered)

/** For reads that are the same for everybody and may be some seconds old (decision 053). */
export const publicReadProcedure = admittedOnce.meta({ may: anyone }).use(fromReplica)

/** For anybody signed in. */
export const signedInProcedure = publicProcedure.meta({ may: allAccounts }).use(({ ctx, next }) => {
  const { session } = ctx
  if (session === null) throw new AppError('sign_in_required')
  return next({ ctx: { session: session satisfies SignedIn['session'] } })
})

/** For patients; use cases limit them to their own data. */
export const patientProcedure = signedInProcedure
  .meta({ may: ['patient'], refusal: 'patients_only' })
  .use(({ ctx, next }) => {
    const { viewer } = ctx
    if (viewer.kind !== 'patient') throw new AppError('patients_only')
    return next({ ctx: { viewer } })
  })

/** For providers; use cases limit them to their own data. */
export const providerProcedure = signedInProcedure
  .meta({ may: ['provider'] })
  .use(({ ctx, next }) => {
    const { viewer } = ctx
    if (viewer.kind !== 'provider') throw new AppError('forbidden')
    return next({ ctx: { viewer } })
  })

/** For patients and providers, but not for staff. */
export const patientOrProviderProcedure = signedInProcedure
  .meta({ may: ['patient', 'provider'] })
  .use(({ ctx, next }) => {
    const { viewer } = ctx
    if (viewer.kind !== 'patient' && viewer.kind !== 'provider') throw new AppError('forbidden')
    return next({ ctx: { viewer } })
  })

/** For staff whose role allows `act`; without it, for all staff. */
export function staffProcedure(act?: StaffAction) {
  return signedInProcedure
    .meta(act === undefined ? { may: allStaff } : accessFor(act))
    .use(({ ctx, next }) => {
      const { viewer } = ctx
      if (viewer.kind !== 'staff') throw new AppError('forbidden')
      return next({ ctx: { viewer } })
    })
}

type OwnedWrite = { path: string; input: unknown; owner: KeyOwner }

/**
 * Runs a write once under its `Idempotency-Key` for a caller without a session, identified by the input. With
 * a session the key has already been handled, so the write simply runs.
 */
export async function runOnce<T>(
  ctx: Context,
  { path, input, owner }: OwnedWrite,
  work: () => Promise<T>,
): Promise<T> {
  if (ctx.session !== null) return work()
  const getRawInput = () => Promise.resolve(input)
  const record = await beginIdempotent(ctx, { path, getRawInput, owner })
  try {
    const data = await work()
    await record?.end({ ok: true, data })
    return data
  } catch (error) {
    await record?.end({ ok: false })
    throw error
  }
}
