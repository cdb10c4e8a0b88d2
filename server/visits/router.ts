import { Nothing } from '#contract/auth.ts'
import { VisitRef } from '#contract/booking.ts'
import {
  CancelFate,
  CancelForInput,
  CancelInput,
  Cancelled,
  CancelledMany,
  CancelManyInput,
  StaffTermsInput,
  VisitsInTimeOff,
  VisitTerms,
} from '#contract/visits.ts'
import { router, sessionProcedure, staffProcedure } from '#server/trpc.ts'
import { cancelMany, readProviderTerms } from './cancel-by-provider.ts'
import { cancelFor, readStaffTerms } from './cancel-by-staff.ts'
import { cancelVisit } from './cancel-visit.ts'
import { readTerms } from './read-terms.ts'
import { listInTimeOff } from './time-off.ts'

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
  inTimeOff: sessionProcedure
    .input(Nothing)
    .output(VisitsInTimeOff)
    .query(({ ctx }) => listInTimeOff(ctx)),
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
