import { Nothing } from '#contract/auth.ts'
import { LookUpInput, OwnVerification, SendCompanyInput } from '#contract/verification.ts'
import { DecidedVerification, DecideInput } from '#contract/verification-decision.ts'
import { providerProcedure, router, staffProcedure } from '#server/trpc.ts'
import { decide } from './decide.ts'
import { lookUpOwn } from './look-up-own.ts'
import { readStanding } from './read-standing.ts'
import { sendCompany } from './send-company.ts'

export const verificationRouter = router({
  decide: staffProcedure('superuser', 'admin')
    .input(DecideInput)
    .output(DecidedVerification)
    .mutation(({ ctx, input }) => decide(ctx, input)),
  lookUpMine: providerProcedure
    .input(LookUpInput)
    .output(OwnVerification)
    .mutation(({ ctx, input }) => lookUpOwn(ctx, input)),
  mine: providerProcedure
    .input(Nothing)
    .output(OwnVerification)
    .query(({ ctx }) => readStanding(ctx)),
  sendCompany: providerProcedure
    .input(SendCompanyInput)
    .output(OwnVerification)
    .mutation(({ ctx, input }) => sendCompany(ctx, input)),
})
