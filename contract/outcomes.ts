import * as z from 'zod/mini'
import { AppointmentId, OutcomeClaimId, Reference } from './base/ids.ts'
import { Money } from './base/money.ts'
import { stripInvisible } from './base/people.ts'
import { DAY_MS, IsoInstant } from './base/time.ts'
import { claimLife } from './life-cycles/claim.ts'

/** How long before the start a patient can be marked as arrived. */
export const ARRIVE_EARLY_MS = 60 * 60_000

/** How long after the start a patient who is not there can be marked as absent. */
export const NO_SHOW_AFTER_MS = 10 * 60_000

/** How long after the end a provider may change the outcome of a visit; then it counts as completed. */
export const MARK_WITHIN_MS = 48 * 60 * 60_000

/** How long a patient may contest being marked as absent. */
export const CONTEST_WITHIN_MS = 7 * DAY_MS

/** How long staff have to decide when a patient contests being marked as absent. */
export const DECIDE_WITHIN_MS = 14 * DAY_MS

/** How long a provider may respond when a patient contests being marked as absent. */
export const ANSWER_WITHIN_MS = 5 * DAY_MS

const CLAIM_MAX = 1_000

const OUTCOME_MISSING = 'Choose what happened.'

/** Outcome of a booked visit. */
export const Outcome = z.enum(['completed', 'no_show', 'not_held'], {
  error: OUTCOME_MISSING,
})
export type Outcome = z.infer<typeof Outcome>

/** What a provider can mark a visit as; `none` clears the mark. */
export const Mark = z.enum(['arrived', 'completed', 'no_show', 'not_held', 'none'])
export type Mark = z.infer<typeof Mark>

/** The state of a visit, and what its provider may mark it as now. */
export const Marking = z.object({
  outcome: z.nullable(Outcome),
  arrivedAt: z.nullable(IsoInstant),
  can: z.array(Mark),
})
export type Marking = z.infer<typeof Marking>

export const MarkInput = z.strictObject({
  id: AppointmentId,
  mark: Mark,
  /** With `not_held`: the refund that was shown, in minor units; if it has changed, the call is refused. */
  refund: z.optional(z.int().check(z.minimum(0))),
})
export type MarkInput = z.infer<typeof MarkInput>

/** The patient's reason for contesting being marked as absent. */
export const ClaimStatement = z.enum(['was_there', 'not_held'], {
  error: OUTCOME_MISSING,
})
export type ClaimStatement = z.infer<typeof ClaimStatement>

const CLAIM_MISSING = 'Tell us what happened.'

export const ContestInput = z.strictObject({
  id: AppointmentId,
  says: ClaimStatement,
  words: z
    .string({ error: CLAIM_MISSING })
    .check(
      stripInvisible,
      z.trim(),
      z.minLength(1, { error: CLAIM_MISSING }),
      z.maxLength(CLAIM_MAX, { error: 'Use 1,000 characters or fewer.' }),
    ),
})
export type ContestInput = z.infer<typeof ContestInput>

const ANSWER_MISSING = 'Tell us your side.'

/** The provider's response, in writing and once. */
export const AnswerClaimInput = z.strictObject({
  /** The visit. */
  id: AppointmentId,
  words: z
    .string({ error: ANSWER_MISSING })
    .check(
      stripInvisible,
      z.trim(),
      z.minLength(1, { error: ANSWER_MISSING }),
      z.maxLength(CLAIM_MAX, { error: 'Use 1,000 characters or fewer.' }),
    ),
})
export type AnswerClaimInput = z.infer<typeof AnswerClaimInput>

/** What the provider of a visit sees of the patient's claim; the patient's own text is for staff. */
export const ProviderClaim = z.object({
  says: ClaimStatement,
  decideBy: IsoInstant,
  /** Deadline for the response; null once it was given, or the deadline has passed. */
  answerUntil: z.nullable(IsoInstant),
  /** The provider's response. */
  answer: z.nullable(z.string()),
})
export type ProviderClaim = z.infer<typeof ProviderClaim>

/** Null while nothing is contested, and once the claim is decided. */
export const ProviderClaimResponse = z.object({ claim: z.nullable(ProviderClaim) })
export type ProviderClaimResponse = z.infer<typeof ProviderClaimResponse>

const ClaimState = z.enum(claimLife.states)

/** What the patient of a visit sees of its outcome. */
export const PatientOutcome = z.object({
  outcome: z.nullable(Outcome),
  /** Deadline for the patient to contest it; null when they may not. */
  contestUntil: z.nullable(IsoInstant),
  /** State of the patient's claim; null when there is none. */
  claim: z.nullable(ClaimState),
})
export type PatientOutcome = z.infer<typeof PatientOutcome>

/** A claim as staff decide about it. */
export const OutcomeClaim = z.object({
  id: OutcomeClaimId,
  visitId: AppointmentId,
  reference: Reference,
  /** Null once the patient has erased the account. */
  patientName: z.nullable(z.string()),
  providerName: z.string(),
  startsAt: IsoInstant,
  timeZone: z.string(),
  markedAt: z.nullable(IsoInstant),
  says: ClaimStatement,
  words: z.string(),
  /** The provider's response; null until it is given, empty once it is no longer kept. */
  answer: z.nullable(z.string()),
  /** Deadline for the provider's response. */
  answerUntil: IsoInstant,
  createdAt: IsoInstant,
  decideBy: IsoInstant,
  /** Who joined a visit by video and when, earliest first; null for a visit in person. */
  joins: z.nullable(z.array(z.object({ by: z.enum(['patient', 'provider']), at: IsoInstant }))),
  /** What of the payment has not been refunded. */
  refundable: Money,
})
export type OutcomeClaim = z.infer<typeof OutcomeClaim>

/** Claims that wait for staff, the oldest first. */
export const OutcomeClaims = z.array(OutcomeClaim)

export const ClaimCount = z.object({ open: z.int() })
export type ClaimCount = z.infer<typeof ClaimCount>

const REASON = 'Say why in 3 to 500 characters.'

/** The state of a visit, and how staff may correct it. */
export const StaffMarking = z.object({
  outcome: z.nullable(Outcome),
  /** What it can be corrected to. */
  can: z.array(Outcome),
  /** What of the payment has not been refunded. */
  refundable: Money,
})
export type StaffMarking = z.infer<typeof StaffMarking>

export const DecideClaimInput = z.strictObject({
  id: OutcomeClaimId,
  /** Final outcome of the visit; `no_show` rejects the claim. */
  outcome: Outcome,
  /** With `not_held`: the refund that was shown, in minor units. */
  refund: z.optional(z.int().check(z.minimum(0))),
  reason: z
    .string({ error: REASON })
    .check(z.trim(), z.minLength(3, { error: REASON }), z.maxLength(500, { error: REASON })),
})
export type DecideClaimInput = z.infer<typeof DecideClaimInput>

/** Corrects the outcome of a visit that nobody contests, with the same reasons and refunds. */
export const CorrectOutcomeInput = z.strictObject({
  ...DecideClaimInput.shape,
  /** The visit. */
  id: AppointmentId,
})
export type CorrectOutcomeInput = z.infer<typeof CorrectOutcomeInput>
