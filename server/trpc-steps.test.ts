import { type AnyProcedure, callTRPCProcedure, initTRPC, TRPCError } from '@trpc/server'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeWorld } from '#tests/harness/world.ts'
import type { Context } from './context.ts'
import { runSteps, stepsOf } from './trpc-steps.ts'

const t = initTRPC.context<Context>().create()

/** Turns a failure of the inner steps into another one, as our guard does. */
const translating = t.procedure.use(async ({ next }) => {
  const result = await next()
  if (result.ok) return result
  throw new TRPCError({ code: 'CONFLICT', cause: result.error })
})

const asStaff = translating.use(({ ctx, next }) => next({ ctx: { note: `for ${ctx.requestId}` } }))

const procedures = {
  plain: t.procedure.query(() => 'plain'),
  checked: translating
    .input(z.object({ a: z.number() }))
    .output(z.object({ sum: z.number() }))
    .query(({ input }) => ({ sum: input.a + 1, secret: true })),
  twice: t.procedure
    .input(z.object({ a: z.number() }))
    .input(z.object({ b: z.string() }))
    .query(({ input }) => input),
  wrong: translating.output(z.string()).query(() => z.NEVER),
  thrown: translating.query(() => {
    throw new RangeError('inside')
  }),
  bare: t.procedure.query(() => {
    throw new RangeError('inside')
  }),
  told: asStaff.query(({ ctx, path }) => [ctx.note, ctx.network, path]),
}
const router = t.router(procedures)

async function ended(work: Promise<unknown>): Promise<unknown> {
  try {
    return { data: await work }
  } catch (error) {
    if (!(error instanceof TRPCError)) return { notOurs: error }
    const { cause } = error
    const inner = cause instanceof TRPCError ? [cause.code, cause.message] : cause?.message
    return { code: error.code, message: error.message, inner }
  }
}

const inputs = [undefined, null, {}, { a: 1 }, { a: 1, b: 'x', c: 2 }, { a: 'x' }, 5, 'text']

test.each(Object.entries<AnyProcedure>(procedures))(
  '%s ends as it does in tRPC, whatever it is given',
  async (path, procedure) => {
    await using world = await makeWorld()
    const ctx = world.context()
    for (const input of inputs) {
      const theirs = callTRPCProcedure({
        router,
        path,
        getRawInput: () => Promise.resolve(input),
        ctx,
        type: 'query',
        signal: undefined,
        batchIndex: 0,
      })
      const call = { path, type: 'query', batchIndex: 0 } as const
      const ours = runSteps(stepsOf(procedure), call, { ctx, input })
      expect(await ended(ours)).toEqual(await ended(theirs))
    }
  },
)
