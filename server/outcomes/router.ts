import { Done, Nothing } from '#contract/auth.ts'
import {
  ClaimCount,
  ContestInput,
  DecideClaimInput,
  MarkInput,
  Marking,
  OutcomeClaims,
  PatientOutcome,
} from '#contract/outcomes.ts'
import { router, sessionProcedure, staffProcedure } from '#server/trpc.ts'
import { contest } from './contest.ts'
import { countClaims, decideClaim, listClaims } from './decide-claim.ts'
import { markVisit } from './mark-visit.ts'

export const outcomesRouter = router({
  claimCount: staffProcedure()
    .input(Nothing)
    .output(ClaimCount)
    .query(({ ctx }) => countClaims(ctx)),
  claims: staffProcedure('decideClaims')
    .input(Nothing)
    .output(OutcomeClaims)
    .query(({ ctx }) => listClaims(ctx)),
  contest: sessionProcedure
    .input(ContestInput)
    .output(PatientOutcome)
    .mutation(({ ctx, input }) => contest(ctx, input)),
  decide: staffProcedure('decideClaims')
    .input(DecideClaimInput)
    .output(Done)
    .mutation(({ ctx, input }) => decideClaim(ctx, input)),
  mark: sessionProcedure
    .input(MarkInput)
    .output(Marking)
    .mutation(({ ctx, input }) => markVisit(ctx, input)),
})
