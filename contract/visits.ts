import * as z from 'zod/mini'
import { PaymentMethod, Visit } from './booking.ts'
import { ErrorCode } from './errors.ts'
import { AbsenceId, AppointmentId, PlaceId } from './ids.ts'
import { Money } from './money.ts'
import { StaffReason } from './payments-staff.ts'
import { withoutHidden } from './people.ts'
import { DAY_MS, IsoInstant } from './time.ts'

/** UK: cancelling stays free for so long after booking (Consumer Contracts Regulations 2013)… */
export const COOLING_OFF_MS = 14 * DAY_MS

/** …but no longer than until so long before the visit. */
export const COOLING_OFF_NOTICE_MS = DAY_MS

/**
 * How long after the end of a visit that was cancelled late somebody else's in its time has to be
 * completed for the fee to go back; afterwards it is earned.
 */
export const REFILLED_WITHIN_MS = 3 * DAY_MS

/** Said wherever a fee for cancelling late is. */
export const REST_BACK = 'If someone else takes your time, you get the rest back.'

/** How often a visit was changed, as the page showed it: another number is `changed_meanwhile`. */
const Sequence = z.int().check(z.minimum(0), z.maximum(1_000_000))

/** What cancelling a coming visit would do at this moment. */
export const VisitTerms = z.object({
  id: AppointmentId,
  sequence: z.int(),
  startsAt: IsoInstant,
  timeZone: z.string(),
  paymentMethod: PaymentMethod,
  /** What came in for it. */
  paid: Money,
  /** What has not gone back yet. */
  left: Money,
  /** What would go back now, and what would be kept. */
  refund: Money,
  kept: Money,
  /** Before this moment all that is left goes back. */
  freeUntil: IsoInstant,
  isFree: z.boolean(),
})
export type VisitTerms = z.infer<typeof VisitTerms>

/** What the page showed is what is done, or nothing. */
export const CancelInput = z.strictObject({
  id: AppointmentId,
  sequence: Sequence,
  /** What the page said goes back: another amount now is `terms_changed`. */
  refund: Money,
})
export type CancelInput = z.infer<typeof CancelInput>

export const Cancelled = z.object({
  visit: Visit,
  /** What goes back, by the way it was paid. */
  refund: Money,
})
export type Cancelled = z.infer<typeof Cancelled>

/** Why a provider cancels, told to the patient in the words below. */
export const CancelReason = z.enum(
  ['unwell', 'emergency', 'schedule', 'closed', 'unsuitable', 'other'],
  { error: 'Choose a reason.' },
)
export type CancelReason = z.infer<typeof CancelReason>

export const cancelReasonWords: Readonly<Record<CancelReason, string>> = {
  unwell: 'The clinician is unwell',
  emergency: 'An emergency',
  schedule: 'A change in the clinician’s schedule',
  closed: 'The practice is closed that day',
  unsuitable: 'This kind of visit isn’t the right one',
  other: 'Another reason',
}

/** Visits one call cancels at most: a full day with room to spare. */
export const MOST_CANCELLED = 60

const NOTE_MAX = 300

/** A few lines to the patient, in an email: plain text, and nothing medical. */
const CancelNote = z
  .string()
  .check(
    withoutHidden,
    z.trim(),
    z.maxLength(NOTE_MAX, { error: `Use ${NOTE_MAX} characters or fewer.` }),
  )

const onlyOnce = z.refine<{ id: string }[]>(
  (visits) => new Set(visits.map(({ id }) => id)).size === visits.length,
  { error: 'Name each visit once.' },
)

export const CancelManyInput = z.strictObject({
  visits: z.array(CancelInput).check(z.minLength(1), z.maxLength(MOST_CANCELLED), onlyOnce),
  reason: CancelReason,
  note: z.optional(CancelNote),
})
export type CancelManyInput = z.infer<typeof CancelManyInput>

/** What became of one of them: cancelled with a refund, or the code of the refusal. */
export const CancelFate = z.object({
  id: AppointmentId,
  refusal: z.nullable(ErrorCode),
  refund: z.nullable(Money),
})
export type CancelFate = z.infer<typeof CancelFate>

/** In the order they were named. */
export const CancelledMany = z.object({ fates: z.array(CancelFate) })
export type CancelledMany = z.infer<typeof CancelledMany>

/** A coming visit that lies in its provider's time off, with what cancelling it would give back now. */
export const VisitInTimeOff = z.object({
  id: AppointmentId,
  absenceId: AbsenceId,
  patient: z.string(),
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  placeId: PlaceId,
  sequence: z.int(),
  /** What came in for it, and all that is left of it, which goes back. */
  paid: Money,
  refund: Money,
})
export type VisitInTimeOff = z.infer<typeof VisitInTimeOff>

/** Earliest first. */
export const VisitsInTimeOff = z.array(VisitInTimeOff)

/** For whom staff cancel: what goes back is what that one would have been shown. */
const CancelledFor = z.enum(['patient', 'provider'], { error: 'Choose for whom.' })

export const StaffTermsInput = z.strictObject({ id: AppointmentId, for: CancelledFor })
export type StaffTermsInput = z.infer<typeof StaffTermsInput>

export const CancelForInput = z.strictObject({
  ...CancelInput.shape,
  for: CancelledFor,
  reason: StaffReason,
})
export type CancelForInput = z.infer<typeof CancelForInput>
