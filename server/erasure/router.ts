import { SignOutResponse } from '#contract/auth.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { EraseInput, ErasurePreview } from '#contract/erasure.ts'
import { patientOrProviderProcedure, router } from '#server/trpc.ts'
import { erase, previewErasure } from './erase.ts'

export const erasureRouter = router({
  ahead: patientOrProviderProcedure
    .input(EmptyInput)
    .output(ErasurePreview)
    .query(({ ctx }) => previewErasure(ctx)),
  erase: patientOrProviderProcedure
    .meta({ stepUp: 'or code', isSecret: true })
    .input(EraseInput)
    .output(SignOutResponse)
    .mutation(({ ctx, input }) => erase(ctx, input)),
})
