import * as z from 'zod/mini'
import { CompanyClaimId, ProviderId } from './ids.ts'
import { CompanyClaim, VerificationState } from './verification.ts'
import { Reason } from './verification-decision.ts'

// Apart from the rest of the room: what chooses between forms of an input weighs half a kilobyte, and
// the first page would carry it for everybody.

const about = {
  providerId: ProviderId,
  /** The state that was looked at: somebody else may have decided since. */
  seen: VerificationState,
}

/** Input of `verification.decide`. */
export const DecideInput = z.discriminatedUnion('verification_status', [
  z.strictObject({
    ...about,
    verification_status: z.literal('Verified'),
    reason: z.optional(Reason),
  }),
  z.strictObject({ ...about, verification_status: z.literal('Unverified'), reason: Reason }),
])
export type DecideInput = z.infer<typeof DecideInput>

/** Input of `verification.decideCompany`. `seen` is the state that was looked at. */
export const DecideCompanyInput = z.discriminatedUnion('decision', [
  z.strictObject({
    claimId: CompanyClaimId,
    seen: CompanyClaim.shape.state,
    decision: z.literal('accepted'),
  }),
  z.strictObject({
    claimId: CompanyClaimId,
    seen: CompanyClaim.shape.state,
    decision: z.literal('refused'),
    reason: Reason,
  }),
])
export type DecideCompanyInput = z.infer<typeof DecideCompanyInput>
