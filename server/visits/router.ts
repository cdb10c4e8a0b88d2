import { VisitRef } from '#contract/booking.ts'
import { CancelInput, Cancelled, VisitTerms } from '#contract/visits.ts'
import { router, sessionProcedure } from '#server/trpc.ts'
import { cancelVisit } from './cancel-visit.ts'
import { readTerms } from './read-terms.ts'

export const visitsRouter = router({
  cancel: sessionProcedure
    .input(CancelInput)
    .output(Cancelled)
    .mutation(({ ctx, input }) => cancelVisit(ctx, input)),
  terms: sessionProcedure
    .input(VisitRef)
    .output(VisitTerms)
    .query(({ ctx, input }) => readTerms(ctx, input)),
})
