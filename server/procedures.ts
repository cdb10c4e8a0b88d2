import {
  type AnyProcedure,
  createTRPCRecursiveProxy,
  TRPCError,
  type TRPCProcedureType,
} from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { ErrorCode } from '#contract/errors.ts'
import { appRouter, type createCaller } from './app-router.ts'
import type { Context } from './context.ts'
import { AppError } from './kernel/errors.ts'
import { trpcCode } from './kernel/transport-codes.ts'
import { toTrpcError } from './trpc.ts'
import { runSteps, type Step, stepsOf } from './trpc-steps.ts'

type Runnable = { type: TRPCProcedureType; steps: readonly Step[] }

/** Every procedure as a typed function, such as `caller.booking.hold(input)`. */
export type Caller = ReturnType<typeof createCaller>

function isProcedure(value: unknown): value is AnyProcedure {
  return typeof value === 'function' && '_def' in value
}

/** By dotted path: at run time the record is flat, though its type mirrors the nesting. */
const flat: Record<string, unknown> = appRouter._def.procedures

/** Every procedure by its dotted path, ready to be run. */
export const procedures: ReadonlyMap<string, Runnable> = new Map(
  Object.entries(flat).flatMap(([path, procedure]) =>
    isProcedure(procedure)
      ? [[path, { type: procedure._def.type, steps: stepsOf(procedure) }]]
      : [],
  ),
)

/**
 * Calls procedures as whoever a context belongs to, by the same steps as a call over `/trpc`. Throws
 * `TRPCError`s whose cause is an `AppError`.
 */
export function callerFor(ctx: Context): Caller {
  return createTRPCRecursiveProxy<Caller>(({ path, args }) => {
    const name = path.join('.')
    const procedure = procedures.get(name)
    if (procedure === undefined) throw new AppError('not_found')
    const { type, steps } = procedure
    return runSteps(steps, { path: name, type, batchIndex: 0 }, { ctx, input: args[0] })
  })
}

/** What was thrown on the way to or in a procedure, as one of our failures with its HTTP status. */
export function failureOf(
  thrown: unknown,
  call: { ctx: Context; path: string },
): { failure: AppError; status: number } {
  const error = toTrpcError(thrown, call)
  const failure = error.cause instanceof AppError ? error.cause : new AppError('internal')
  return { failure, status: getHTTPStatusCodeFromError(error) }
}

/** Whether a call was refused with a code. */
export function isRefusal(thrown: unknown, code: ErrorCode): boolean {
  return (
    thrown instanceof TRPCError && thrown.cause instanceof AppError && thrown.cause.code === code
  )
}

/** The HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return getHTTPStatusCodeFromError(new TRPCError({ code: trpcCode[code] }))
}
