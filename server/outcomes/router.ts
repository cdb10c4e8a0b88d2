import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { VisitRef } from '#contract/booking.ts'
import {
  AnswerClaimInput,
  ClaimCount,
  ContestInput,
  CorrectOutcomeInput,
  DecideClaimInput,
  MarkInput,
  Marking,
  OutcomeClaims,
  PatientOutcome,
  ProviderClaim,
  ProviderClaimResponse,
  StaffMarking,
} from '#contract/outcomes.ts'
import { patientProcedure, providerProcedure, router, staffProcedure } from '#server/trpc.ts'
import {
  answerClaim,
  contest,
  countClaims,
  decideClaim,
  listClaims,
  readProviderClaim,
} from './claims.ts'
import { correctOutcome, markVisit, readStaffMarking } from './outcomes.ts'

export const outcomesRouter = router({
  answer: providerProcedure
    .input(AnswerClaimInput)
    .output(ProviderClaim)
    .mutation(({ ctx, input }) => answerClaim(ctx, input)),
  claimCount: staffProcedure()
    .input(EmptyInput)
    .output(ClaimCount)
    .query(({ ctx }) => countClaims(ctx)),
  claimOf: providerProcedure
    .input(VisitRef)
    .output(ProviderClaimResponse)
    .query(({ ctx, input }) => readProviderClaim(ctx, input)),
  claims: staffProcedure('decideClaims')
    .input(EmptyInput)
    .output(OutcomeClaims)
    .query(({ ctx }) => listClaims(ctx)),
  contest: patientProcedure
    .meta({ scope: 'visits:write' })
    .input(ContestInput)
    .output(PatientOutcome)
    .mutation(({ ctx, input }) => contest(ctx, input)),
  correct: staffProcedure('decideClaims')
    .input(CorrectOutcomeInput)
    .output(Done)
    .mutation(({ ctx, input }) => correctOutcome(ctx, input)),
  decide: staffProcedure('decideClaims')
    .input(DecideClaimInput)
    .output(Done)
    .mutation(({ ctx, input }) => decideClaim(ctx, input)),
  mark: providerProcedure
    .meta({ scope: 'visits:write' })
    .input(MarkInput)
    .output(Marking)
    .mutation(({ ctx, input }) => markVisit(ctx, input)),
  staffMarking: staffProcedure('decideClaims')
    .input(VisitRef)
    .output(StaffMarking)
    .query(({ ctx, input }) => readStaffMarking(ctx, input)),
})
