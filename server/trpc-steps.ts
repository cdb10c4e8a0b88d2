import {
  type AnyProcedure,
  getTRPCErrorFromUnknown,
  type TRPCError,
  type TRPCProcedureType,
} from '@trpc/server'
import type { Context } from './context.ts'
import { assertNoNul } from './kernel/nul.ts'

type Result = { ok: true; data: unknown } | { ok: false; error: TRPCError }

/** What a middleware hands on to the next one. */
type Changes = { ctx?: object; input?: unknown; getRawInput?: () => Promise<unknown> }

/** One middleware of a procedure, or what it does in the end. */
export type Step = (options: object) => Promise<Result>

/** What is the same for all steps of a call. */
export type Call = { path: string; type: TRPCProcedureType; batchIndex: number }

type Moving = { ctx: object; input: unknown; getRawInput: () => Promise<unknown> }

function isSteps(value: unknown): value is readonly Step[] {
  return Array.isArray(value) && value.every((step) => typeof step === 'function')
}

/** The middlewares of a procedure with its resolver at the end. Throws where tRPC keeps none. */
export function stepsOf(procedure: AnyProcedure): readonly Step[] {
  const def: object = procedure._def
  if ('middlewares' in def && isSteps(def.middlewares)) return def.middlewares
  throw new Error('This tRPC does not keep the steps of a procedure where ours looks for them.')
}

/**
 * Runs the steps of a procedure as tRPC does and gives its data. tRPC's own runner copies the
 * options of a call property by property, twice a step: a twentieth of a search over HTTP.
 */
export async function runSteps(
  steps: readonly Step[],
  call: Call,
  { ctx, input }: { ctx: Context; input: unknown },
): Promise<unknown> {
  async function from(index: number, moving: Moving): Promise<Result> {
    const next = (changes: Changes = {}) =>
      from(index + 1, {
        ctx: changes.ctx === undefined ? moving.ctx : { ...moving.ctx, ...changes.ctx },
        input: 'input' in changes ? changes.input : moving.input,
        getRawInput: changes.getRawInput ?? moving.getRawInput,
      })
    try {
      const step = steps[index]
      if (step === undefined) throw new Error(`${call.path} has no step ${index}`)
      // The last one acts: by then every schema has said what is wrong with its own fields.
      if (index === steps.length - 1) assertNoNul(moving.input)
      return await step({ ...call, ...moving, meta: undefined, signal: undefined, next })
    } catch (cause) {
      return { ok: false, error: getTRPCErrorFromUnknown(cause) }
    }
  }
  const result = await from(0, {
    ctx,
    input: undefined,
    getRawInput: () => Promise.resolve(input),
  })
  if (!result.ok) throw result.error
  return result.data
}
