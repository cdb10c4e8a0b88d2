import { EmptyInput } from '#contract/base/empty-input.ts'
import {
  AnswerInput,
  DecideProofResponse,
  EnterProofCodeInput,
  LookUpInput,
  OfferProofCodeInput,
  OwnVerification,
  SendCompanyInput,
  SendProofInput,
} from '#contract/verification.ts'
import {
  AskAgainInput,
  AskAgainResponse,
  DecideCompanyInput,
  DecideCompanyResponse,
  DecidedVerification,
  DecideInput,
  DecideProofInput,
  ProvidersInput,
  ProvidersPage,
  QueueInput,
  StaffLookUpInput,
  StaffLookUpResponse,
  StaffProvider,
  StaffProviderInput,
  VerificationCounts,
  VerificationQueue,
} from '#contract/verification-staff.ts'
import { providerProcedure, router, staffProcedure } from '#server/trpc.ts'
import { answerRequest } from '#server/verification/company/answer-request.ts'
import { lookUp, lookUpOwn } from '#server/verification/register/look-up.ts'
import { decide, requestInformation } from '#server/verification/staff/decide.ts'
import { decideCompany, sendCompany } from './company/company.ts'
import { readRegistrationStatus } from './register/read-registration-status.ts'
import {
  decideProof,
  enterProofCode,
  offerProofCode,
  sendProof,
  sendProofCode,
} from './registrant/proofs.ts'
import { countWaiting, listProviders, readProvider, readQueue } from './staff/read-providers.ts'

export const verificationRouter = router({
  answer: providerProcedure
    .input(AnswerInput)
    .output(OwnVerification)
    .mutation(({ ctx, input }) => answerRequest(ctx, input)),
  askAgain: staffProcedure('verify')
    .input(AskAgainInput)
    .output(AskAgainResponse)
    .mutation(({ ctx, input }) => requestInformation(ctx, input)),
  counts: staffProcedure()
    .meta({ scope: 'staff-providers:read' })
    .input(EmptyInput)
    .output(VerificationCounts)
    .query(({ ctx }) => countWaiting(ctx)),
  decide: staffProcedure('verify')
    .input(DecideInput)
    .output(DecidedVerification)
    .mutation(({ ctx, input }) => decide(ctx, input)),
  decideCompany: staffProcedure('verify')
    .input(DecideCompanyInput)
    .output(DecideCompanyResponse)
    .mutation(({ ctx, input }) => decideCompany(ctx, input)),
  decideProof: staffProcedure('verify')
    .input(DecideProofInput)
    .output(DecideProofResponse)
    .mutation(({ ctx, input }) => decideProof(ctx, input)),
  enterProofCode: providerProcedure
    .input(EnterProofCodeInput)
    .output(OwnVerification)
    .mutation(({ ctx, input }) => enterProofCode(ctx, input)),
  lookUp: staffProcedure('verify')
    .input(StaffLookUpInput)
    .output(StaffLookUpResponse)
    .mutation(({ ctx, input }) => lookUp(ctx, input)),
  lookUpMine: providerProcedure
    .input(LookUpInput)
    .output(OwnVerification)
    .mutation(({ ctx, input }) => lookUpOwn(ctx, input)),
  mine: providerProcedure
    .meta({ scope: 'account:read' })
    .input(EmptyInput)
    .output(OwnVerification)
    .query(({ ctx }) => readRegistrationStatus(ctx)),
  offerProofCode: staffProcedure('verify')
    .input(OfferProofCodeInput)
    .output(AskAgainResponse)
    .mutation(({ ctx, input }) => offerProofCode(ctx, input)),
  provider: staffProcedure()
    .meta({ scope: 'staff-providers:read' })
    .input(StaffProviderInput)
    .output(StaffProvider)
    .query(({ ctx, input }) => readProvider(ctx, input)),
  providers: staffProcedure()
    .meta({ scope: 'staff-providers:read' })
    .input(ProvidersInput)
    .output(ProvidersPage)
    .query(({ ctx, input }) => listProviders(ctx, input)),
  queue: staffProcedure('verify')
    .meta({ scope: 'staff-providers:read' })
    .input(QueueInput)
    .output(VerificationQueue)
    .query(({ ctx, input }) => readQueue(ctx, input)),
  sendCompany: providerProcedure
    .input(SendCompanyInput)
    .output(OwnVerification)
    .mutation(({ ctx, input }) => sendCompany(ctx, input)),
  sendProof: providerProcedure
    .input(SendProofInput)
    .output(OwnVerification)
    .mutation(({ ctx, input }) => sendProof(ctx, input)),
  sendProofCode: providerProcedure
    .input(EmptyInput)
    .output(OwnVerification)
    .mutation(({ ctx }) => sendProofCode(ctx)),
})
