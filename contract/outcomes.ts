import * as z from 'zod/mini'
import { AppointmentId, OutcomeClaimId, Reference } from './ids.ts'
import { Money } from './money.ts'
import { withoutHidden } from './people.ts'
import { DAY_MS, IsoInstant } from './time.ts'

/** How long before the start a patient can be marked as arrived. */
export const ARRIVE_EARLY_MS = 60 * 60_000

/** How long after the start a patient who is not there can be marked as absent. */
export const NO_SHOW_AFTER_MS = 10 * 60_000

/** How long after the end a provider may change what became of a visit; then it counts as completed. */
export const MARK_WITHIN_MS = 48 * 60 * 60_000

/** How long a patient may contest being marked as absent. */
export const CONTEST_WITHIN_MS = 7 * DAY_MS

/** By when staff decide about what a patient contests. */
export const DECIDE_WITHIN_MS = 14 * DAY_MS

/** How long a provider may answer what a patient contests. */
export const ANSWER_WITHIN_MS = 5 * DAY_MS

const CLAIM_MAX = 1_000

/** What became of a booked visit. */
export const Outcome = z.enum(['completed', 'no_show', 'not_held'])
export type Outcome = z.infer<typeof Outcome>

/** What a provider can say of a visit; `none` takes back what was said. */
export const Mark = z.enum(['arrived', 'completed', 'no_show', 'not_held', 'none'])
export type Mark = z.infer<typeof Mark>

/** How a visit stands, and what its provider may say of it now. */
export const Marking = z.object({
  outcome: z.nullable(Outcome),
  arrivedAt: z.nullable(IsoInstant),
  can: z.array(Mark),
})
export type Marking = z.infer<typeof Marking>

export const MarkInput = z.strictObject({
  id: AppointmentId,
  mark: Mark,
  /** With `not_held`: the refund that was shown, in minor units; another one now is refused. */
  refund: z.optional(z.int().check(z.minimum(0))),
})
export type MarkInput = z.infer<typeof MarkInput>

/** What a patient says against being marked as absent. */
export const ClaimSays = z.enum(['was_there', 'not_held'], {
  error: 'Choose what happened.',
})
export type ClaimSays = z.infer<typeof ClaimSays>

const CLAIM_MISSING = 'Tell us what happened.'

export const ContestInput = z.strictObject({
  id: AppointmentId,
  says: ClaimSays,
  words: z
    .string({ error: CLAIM_MISSING })
    .check(
      withoutHidden,
      z.trim(),
      z.minLength(1, { error: CLAIM_MISSING }),
      z.maxLength(CLAIM_MAX, { error: 'Use 1,000 characters or fewer.' }),
    ),
})
export type ContestInput = z.infer<typeof ContestInput>

const ANSWER_MISSING = 'Tell us your side.'

/** What a provider answers, in writing and once. */
export const AnswerClaimInput = z.strictObject({
  /** The visit. */
  id: AppointmentId,
  words: z
    .string({ error: ANSWER_MISSING })
    .check(
      withoutHidden,
      z.trim(),
      z.minLength(1, { error: ANSWER_MISSING }),
      z.maxLength(CLAIM_MAX, { error: 'Use 1,000 characters or fewer.' }),
    ),
})
export type AnswerClaimInput = z.infer<typeof AnswerClaimInput>

/** What the provider of a visit sees of what its patient contests; what the patient wrote is for staff. */
export const ProviderClaim = z.object({
  says: ClaimSays,
  decideBy: IsoInstant,
  /** Until when it can be answered; null once it was, or when that is over. */
  answerUntil: z.nullable(IsoInstant),
  /** What the provider answered. */
  answer: z.nullable(z.string()),
})
export type ProviderClaim = z.infer<typeof ProviderClaim>

/** Null while nothing is contested, and once it is decided. */
export const ProviderClaimAnswer = z.object({ claim: z.nullable(ProviderClaim) })
export type ProviderClaimAnswer = z.infer<typeof ProviderClaimAnswer>

const ClaimState = z.enum(['open', 'upheld', 'rejected', 'settled'])

/** What the patient of a visit sees of its outcome. */
export const PatientOutcome = z.object({
  outcome: z.nullable(Outcome),
  /** Until when the patient may contest it; null when they may not. */
  contestUntil: z.nullable(IsoInstant),
  /** What became of what they said against it; null when they said nothing. */
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
  says: ClaimSays,
  words: z.string(),
  /** What the provider answered; null while they have not, empty once it is no longer kept. */
  answer: z.nullable(z.string()),
  /** Until when the provider can answer. */
  answerUntil: IsoInstant,
  createdAt: IsoInstant,
  decideBy: IsoInstant,
  /** Who joined a visit by video and when, earliest first; null for a visit in person. */
  joins: z.nullable(z.array(z.object({ by: z.enum(['patient', 'provider']), at: IsoInstant }))),
  /** What of the payment has not gone back. */
  refundable: Money,
})
export type OutcomeClaim = z.infer<typeof OutcomeClaim>

/** Claims that wait for staff, the oldest first. */
export const OutcomeClaims = z.array(OutcomeClaim)

export const ClaimCount = z.object({ open: z.int() })
export type ClaimCount = z.infer<typeof ClaimCount>

const REASON = 'Say why in 3 to 500 characters.'

/** How a visit stands, as staff correct it. */
export const StaffMarking = z.object({
  outcome: z.nullable(Outcome),
  /** What it can be corrected to. */
  can: z.array(Outcome),
  /** What of the payment has not gone back. */
  refundable: Money,
})
export type StaffMarking = z.infer<typeof StaffMarking>

export const DecideClaimInput = z.strictObject({
  id: OutcomeClaimId,
  /** What became of the visit in the end; `no_show` rejects the claim. */
  outcome: Outcome,
  /** With `not_held`: the refund that was shown, in minor units. */
  refund: z.optional(z.int().check(z.minimum(0))),
  reason: z
    .string({ error: REASON })
    .check(z.trim(), z.minLength(3, { error: REASON }), z.maxLength(500, { error: REASON })),
})
export type DecideClaimInput = z.infer<typeof DecideClaimInput>

/** Staff correct what became of a visit that nobody contests, for the same reasons and money. */
export const CorrectOutcomeInput = z.strictObject({
  ...DecideClaimInput.shape,
  /** The visit. */
  id: AppointmentId,
})
export type CorrectOutcomeInput = z.infer<typeof CorrectOutcomeInput>
