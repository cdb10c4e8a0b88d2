import { EmptyInput, SignOutResponse } from '#contract/auth.ts'
import { EraseInput, ErasurePreview } from '#contract/erasure.ts'
import { router, sessionProcedure } from '#server/trpc.ts'
import { erase, previewErasure } from './erase.ts'

export const erasureRouter = router({
  ahead: sessionProcedure
    .input(EmptyInput)
    .output(ErasurePreview)
    .query(({ ctx }) => previewErasure(ctx)),
  erase: sessionProcedure
    .input(EraseInput)
    .output(SignOutResponse)
    .mutation(({ ctx, input }) => erase(ctx, input)),
})
