import { Nothing, SignOutAnswer } from '#contract/auth.ts'
import { Ahead, EraseInput } from '#contract/erasure.ts'
import { router, sessionProcedure } from '#server/trpc.ts'
import { erase, readAhead } from './erase.ts'

export const erasureRouter = router({
  ahead: sessionProcedure
    .input(Nothing)
    .output(Ahead)
    .query(({ ctx }) => readAhead(ctx)),
  erase: sessionProcedure
    .input(EraseInput)
    .output(SignOutAnswer)
    .mutation(({ ctx, input }) => erase(ctx, input)),
})
