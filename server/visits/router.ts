import { VisitRef } from '#contract/booking.ts'
import {
  CancelFate,
  CancelForInput,
  CancelInput,
  Cancelled,
  CancelledMany,
  CancelManyInput,
  MoveAgreedInput,
  Moved,
  MovedFor,
  MoveForInput,
  MoveInput,
  MoveTerms,
  MoveTermsInput,
  StaffTermsInput,
  VisitTerms,
} from '#contract/visits.ts'
import { router, sessionProcedure, staffProcedure } from '#server/trpc.ts'
import { cancelMany, readProviderTerms } from './cancel-by-provider.ts'
import { cancelFor, readStaffTerms } from './cancel-by-staff.ts'
import { cancelVisit } from './cancel-visit.ts'
import { moveAgreed, moveFor } from './move-for.ts'
import { moveVisit } from './move-visit.ts'
import { readMoveTerms } from './read-move-terms.ts'
import { readTerms } from './read-terms.ts'

export const visitsRouter = router({
  cancel: sessionProcedure
    .input(CancelInput)
    .output(Cancelled)
    .mutation(({ ctx, input }) => cancelVisit(ctx, input)),
  cancelFor: staffProcedure('refund')
    .input(CancelForInput)
    .output(CancelFate)
    .mutation(({ ctx, input }) => cancelFor(ctx, input)),
  cancelMany: sessionProcedure
    .input(CancelManyInput)
    .output(CancelledMany)
    .mutation(({ ctx, input }) => cancelMany(ctx, input)),
  move: sessionProcedure
    .input(MoveInput)
    .output(Moved)
    .mutation(({ ctx, input }) => moveVisit(ctx, input)),
  moveAgreed: sessionProcedure
    .input(MoveAgreedInput)
    .output(MovedFor)
    .mutation(({ ctx, input }) => moveAgreed(ctx, input)),
  moveFor: staffProcedure('refund')
    .input(MoveForInput)
    .output(MovedFor)
    .mutation(({ ctx, input }) => moveFor(ctx, input)),
  moveTerms: sessionProcedure
    .input(MoveTermsInput)
    .output(MoveTerms)
    .query(({ ctx, input }) => readMoveTerms(ctx, input)),
  providerTerms: sessionProcedure
    .input(VisitRef)
    .output(VisitTerms)
    .query(({ ctx, input }) => readProviderTerms(ctx, input)),
  staffTerms: staffProcedure('refund')
    .input(StaffTermsInput)
    .output(VisitTerms)
    .query(({ ctx, input }) => readStaffTerms(ctx, input)),
  terms: sessionProcedure
    .input(VisitRef)
    .output(VisitTerms)
    .query(({ ctx, input }) => readTerms(ctx, input)),
})
