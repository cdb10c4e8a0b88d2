import { initTRPC } from '@trpc/server'
import { type StaffAct, whyNot } from '#contract/staff.ts'
import { assertNoNul } from '#server/kernel/wire/nul.ts'
import { admit, auditDenial, learnProof } from './admission.ts'
import type { Context, SignedIn, Viewer } from './context.ts'
import { errorShape, knownFailure, toTrpcError } from './failures.ts'
import { beginIdempotent, type KeyOwner, Replay } from './idempotency.ts'
import { AppError } from './kernel/errors.ts'
import { countRead, failedAt, readerOf, rememberWrite } from './public-reads.ts'

/** What a procedure was declared with, kept as its `meta`: tRPC has no other public way to ask. */
type Declared = { kind?: 'query' | 'mutation'; input?: unknown; output?: unknown }

const t = initTRPC
  .context<Context>()
  .meta<Declared>()
  .create({
    isDev: false,
    errorFormatter: ({ error, ctx }) => errorShape(error, ctx?.requestId ?? ''),
  })

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/** Outcomes that are a failure of ours, and not of whoever calls. */
const OURS: ReadonlySet<string> = new Set(['internal', 'busy'])

/** Counts every call and how it ended, a batch of ten as ten, each with a span of its own. */
const counted = t.middleware(({ ctx: { metrics, tracing }, path, next }) =>
  tracing.run({ name: path, kind: 'internal' }, async (span) => {
    const end = metrics.callSeconds.startTimer({ call: path })
    const result = await next()
    end()
    const outcome = result.ok ? 'ok' : (knownFailure(result.error)?.code ?? 'internal')
    metrics.calls.inc({ call: path, outcome })
    span.say({ 'apposite.outcome': outcome })
    if (OURS.has(outcome)) span.fail(outcome)
    return result
  }),
)

/** Audits and translates what the steps below it end with; a replayed answer is a good end. */
const answered = t.middleware(async ({ ctx, path, next }) => {
  const result = await next()
  if (result.ok) return result
  const { cause } = result.error
  if (cause instanceof Replay) return { marker: result.marker, ok: true as const, data: cause.data }
  await auditDenial(ctx, path, result.error)
  throw toTrpcError(result.error, { ctx, path })
})

/** Every call of every procedure passes here once, so a batch of ten counts as ten. */
const admitted = t.middleware(async ({ ctx, path, next }) => {
  await learnProof(ctx, path)
  admit(ctx, path)
  return next()
})

/** A write that comes with an `Idempotency-Key` is done once; a repeat ends here, by `Replay`. */
const idempotent = t.middleware(async ({ ctx, path, type, getRawInput, next }) => {
  if (type !== 'mutation') return next()
  const record = await beginIdempotent(ctx, { path, getRawInput })
  const result = await next()
  await record?.end(result)
  return result
})

/** Whoever has tried to change something sees from then on how it is, and not how it was. */
const remembered = t.middleware(({ ctx, type, next }) => {
  if (type === 'mutation') rememberWrite(ctx)
  return next()
})

/** Reads from the replica what may be read there, and once more from the primary where that fails. */
const fromReplica = t.middleware(async ({ ctx, next }) => {
  const { database } = ctx
  const replica = readerOf(ctx)
  if (replica === null) {
    countRead(ctx, 'primary')
    return next()
  }
  const result = await next({ ctx: { database: { ...database, db: replica.db } } })
  const isDone = result.ok || !failedAt(replica, result.error.cause)
  countRead(ctx, isDone ? 'replica' : 'retried')
  return isDone ? result : next()
})

const plainText = t.middleware(({ input, next }) => {
  assertNoNul(input)
  return next()
})

/**
 * The same builder, whose inputs may hold no NUL. That is looked at behind the schema, so that a field
 * with words of its own says them. What is declared by it is kept.
 */
function withPlainText<B extends { input: typeof t.procedure.input }>(builder: B): B {
  const input: typeof t.procedure.input = (schema) => {
    const taking = builder.input(schema).use(plainText).meta({ input: schema })
    const output: typeof taking.output = (answer) => {
      const giving = taking.output(answer).meta({ output: answer })
      const query: typeof giving.query = (work) => giving.meta({ kind: 'query' }).query(work)
      const mutation: typeof giving.mutation = (work) =>
        giving.meta({ kind: 'mutation' }).mutation(work)
      return { ...giving, query, mutation }
    }
    return { ...taking, output }
  }
  return { ...builder, input }
}

const admittedOnce = t.procedure.use(counted).use(answered).use(admitted).use(idempotent)
const anybody = admittedOnce.use(remembered)

/** The base of all procedures: anybody may call it. */
export const publicProcedure = withPlainText(anybody)

/** Reads only what is the same for everybody, and what may be some seconds old (decision 053). */
export const publicReadProcedure = withPlainText(admittedOnce.use(fromReplica))

type Known = Exclude<Viewer, { kind: 'visitor' }>

const signedIn = anybody.use(({ ctx, next }) => {
  const { viewer } = ctx
  if (viewer.kind === 'visitor') throw new AppError('sign_in_required')
  return next({ ctx: { viewer: viewer satisfies Known } })
})

/** Somebody with an account. */
export const signedInProcedure = withPlainText(signedIn)

/** Somebody signed in with a session of their own, whatever kind of account that is. */
export const sessionProcedure = withPlainText(
  signedIn.use(({ ctx, next }) => {
    const { session } = ctx
    if (session === null) throw new AppError('sign_in_required')
    return next({ ctx: { session: session satisfies SignedIn['session'] } })
  }),
)

/** A patient; what they may touch is theirs. */
export const patientProcedure = withPlainText(
  signedIn.use(({ ctx, next }) => {
    const { viewer } = ctx
    if (viewer.kind !== 'patient') throw new AppError('forbidden')
    return next({ ctx: { viewer } })
  }),
)

/** A provider; what they may touch is theirs. */
export const providerProcedure = withPlainText(
  signedIn.use(({ ctx, next }) => {
    const { viewer } = ctx
    if (viewer.kind !== 'provider') throw new AppError('forbidden')
    return next({ ctx: { viewer } })
  }),
)

/** Staff whose role may do this; without an act, whoever is on the staff. */
export function staffProcedure(act?: StaffAct) {
  return withPlainText(
    signedIn.use(({ ctx, next }) => {
      const { viewer } = ctx
      if (viewer.kind !== 'staff') throw new AppError('forbidden')
      const refusal = act === undefined ? null : whyNot(act, viewer.role)
      if (refusal !== null) throw new AppError(refusal)
      return next({ ctx: { viewer } })
    }),
  )
}

type OwnedWrite = { path: string; input: unknown; owner: KeyOwner }

/**
 * Does a write of somebody without a session, whom its input names, once under its `Idempotency-Key`.
 * Keys of whoever is signed in have been dealt with before: then it is simply done.
 */
export async function doneOnce<T>(
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
