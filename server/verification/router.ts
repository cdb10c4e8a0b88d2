import { Nothing } from '#contract/auth.ts'
import { LookUpInput, OwnVerification, SendCompanyInput } from '#contract/verification.ts'
import { providerProcedure, router } from '#server/trpc.ts'
import { lookUpOwn } from './look-up-own.ts'
import { readStanding } from './read-standing.ts'
import { sendCompany } from './send-company.ts'

export const verificationRouter = router({
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
