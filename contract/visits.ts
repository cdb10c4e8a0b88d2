import * as z from 'zod/mini'
import { ErrorCode } from './base/errors.ts'
import { AbsenceId, AppointmentId, PlaceId, ProviderId, VisitId, VisitTypeId } from './base/ids.ts'
import { Currency, Money } from './base/money.ts'
import { stripInvisible } from './base/people.ts'
import { DAY_MS, IsoInstant } from './base/time.ts'
import {
  CalendarFile,
  MAX_PROPOSED_TIMES,
  PaymentMethod,
  ProposedTimes,
  SlotTime,
  Visit,
  VisitMove,
} from './booking.ts'
import { CancelDeskInput, DeskKind, DeskUnsent } from './booking-desk.ts'
import { StaffReason } from './payments.ts'

/** UK: cancelling stays free for this long after booking (Consumer Contracts Regulations 2013). */
export const COOLING_OFF_MS = 14 * DAY_MS

/** That period ends at the latest this long before the visit. */
export const COOLING_OFF_NOTICE_MS = DAY_MS

/**
 * How long after the end of a visit that was cancelled late another visit in its time has to be completed for
 * the fee to be refunded; after that the fee is earned.
 */
export const REFILLED_WITHIN_MS = 3 * DAY_MS
/** How often a patient may move a visit. */
export const MAX_MOVES = 3

/** Shown wherever a fee for late cancellation is. */
export const LATE_FEE_NOTE = 'If someone else takes your time, you get the full fee back.'

/** How often the visit was changed, as the page showed it: a mismatch is `changed_meanwhile`. */
const Sequence = z.int().check(z.minimum(0), z.maximum(1_000_000))

/** What cancelling an upcoming visit would do now. */
export const VisitTerms = z.object({
  id: AppointmentId,
  sequence: z.int(),
  startsAt: IsoInstant,
  timeZone: z.string(),
  paymentMethod: PaymentMethod,
  /** Amount received for it. */
  paid: Money,
  /** What has not been refunded yet. */
  left: Money,
  /** What would be refunded now, and what would be kept. */
  refund: Money,
  kept: Money,
  /** Before this, all that is left is refunded. */
  freeUntil: IsoInstant,
  isFree: z.boolean(),
  /** How often its patient may still move it. */
  movesLeft: z.int(),
  /** Provider and visit type whose free times it can be moved to. */
  providerId: ProviderId,
  typeId: z.nullable(VisitTypeId),
})
export type VisitTerms = z.infer<typeof VisitTerms>

/** Does exactly what the page showed, or nothing. */
export const CancelInput = z.strictObject({
  id: AppointmentId,
  sequence: Sequence,
  /**
   * The refund the page showed: a different amount now is `terms_changed`. Without a currency it is in that of
   * the visit, which never changes.
   */
  refund: z.strictObject({ ...Money.shape, currency: z.optional(Currency) }),
})
export type CancelInput = z.infer<typeof CancelInput>

export const Cancelled = z.object({
  visit: Visit,
  /** Amount refunded, by the original payment method. */
  refund: Money,
})
export type Cancelled = z.infer<typeof Cancelled>

export const MoveTermsInput = z.strictObject({ id: AppointmentId, slot: SlotTime })
export type MoveTermsInput = z.infer<typeof MoveTermsInput>

/** What moving an upcoming visit to a free time would do now. Moving is free. */
export const MoveTerms = z.object({
  id: AppointmentId,
  sequence: z.int(),
  timeZone: z.string(),
  from: z.object({ startsAt: IsoInstant, place: z.string() }),
  to: z.object({ startsAt: IsoInstant, place: z.string(), timeZone: z.string() }),
  /** Until when cancelling is free after the move, and whether it is now. */
  freeUntil: IsoInstant,
  isFree: z.boolean(),
  /** Moves its patient has left, including this one unless the provider proposed the time. */
  movesLeft: z.int(),
  /** The provider proposed this time: taking it costs no move. */
  isProposed: z.boolean(),
})
export type MoveTerms = z.infer<typeof MoveTerms>

export const MoveInput = z.strictObject({
  id: AppointmentId,
  sequence: Sequence,
  slot: SlotTime,
  /** The patient accepts an overlap with their other visit: without it that is `visits_overlap`. */
  overlapOk: z.optional(z.boolean()),
  /** The page showed it as proposed by the provider: if it no longer is, that is `changed_meanwhile`. */
  isProposed: z.optional(z.boolean()),
})
export type MoveInput = z.infer<typeof MoveInput>

export const Moved = z.object({ visit: Visit, movesLeft: z.int() })
export type Moved = z.infer<typeof Moved>

/** Why a provider cancels; the patient is told in the words below. */
export const CancelReason = z.enum(
  ['unwell', 'emergency', 'schedule', 'closed', 'unsuitable', 'other'],
  { error: 'Choose a reason.' },
)
export type CancelReason = z.infer<typeof CancelReason>

export const cancelReasonLabels: Readonly<Record<CancelReason, string>> = {
  unwell: 'The clinician is unwell',
  emergency: 'An emergency',
  schedule: 'A change in the clinician’s schedule',
  closed: 'The practice is closed that day',
  unsuitable: 'This isn’t the right kind of visit',
  other: 'Another reason',
}

/** Visits one call cancels at most: a full day with room to spare. */
export const MAX_CANCELLED = 60

const NOTE_MAX = 300

/** A short note to the patient, sent by email: plain text, and nothing medical. */
const CancelNote = z
  .string()
  .check(
    stripInvisible,
    z.trim(),
    z.maxLength(NOTE_MAX, { error: `Use ${NOTE_MAX} characters or fewer.` }),
  )

const uniqueVisits = z.refine<{ id: string }[]>(
  (visits) => new Set(visits.map(({ id }) => id)).size === visits.length,
  { error: 'Name each visit once.' },
)

/** Refuses a call without visits, or with too many. */
const visitCountAllowed = z.refine<{ visits: unknown[]; desk?: unknown[] | undefined }>(
  ({ visits, desk = [] }) => {
    const count = visits.length + desk.length
    return count > 0 && count <= MAX_CANCELLED
  },
  { error: `Name 1 to ${MAX_CANCELLED} visits.`, path: ['visits'] },
)

export const CancelManyInput = z
  .strictObject({
    visits: z.array(CancelInput).check(z.maxLength(MAX_CANCELLED), uniqueVisits),
    /** Desk visits, for which nothing was paid. */
    desk: z.optional(z.array(CancelDeskInput).check(z.maxLength(MAX_CANCELLED), uniqueVisits)),
    reason: CancelReason,
    note: z.optional(CancelNote),
  })
  .check(visitCountAllowed)
export type CancelManyInput = z.infer<typeof CancelManyInput>

/** The result for one of them: cancelled, with a refund where it was paid for, or the code of the refusal. */
export const CancelResult = z.object({
  id: VisitId,
  refusal: z.nullable(ErrorCode),
  refund: z.nullable(Money),
  /** Desk visits: why the email to the address they gave was not sent; left out where it was. */
  unsent: z.optional(DeskUnsent),
})
export type CancelResult = z.infer<typeof CancelResult>

/** The new time is already agreed with the patient, for example by phone: they are informed, not asked. */
export const MoveAgreedInput = z.strictObject({
  id: AppointmentId,
  sequence: Sequence,
  slot: SlotTime,
  note: z.optional(CancelNote),
})
export type MoveAgreedInput = z.infer<typeof MoveAgreedInput>

export const MovedVisit = z.object({
  id: AppointmentId,
  sequence: z.int(),
  startsAt: IsoInstant,
  timeZone: z.string(),
})
export type MovedVisit = z.infer<typeof MovedVisit>

/** In the order given, desk visits last. */
export const CancelManyResponse = z.object({ fates: z.array(CancelResult) })
export type CancelManyResponse = z.infer<typeof CancelManyResponse>

/** An upcoming visit during its provider's time off, and what cancelling it would refund now. */
export const VisitInTimeOff = z.object({
  id: VisitId,
  absenceId: AbsenceId,
  /** Null where it was booked online: then the patient is always emailed. */
  desk: z.nullable(
    z.object({ kind: DeskKind, phone: z.nullable(z.string()), hasEmail: z.boolean() }),
  ),
  patient: z.string(),
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  placeId: PlaceId,
  sequence: z.int(),
  /** Amount received, and all that is left of it, which is refunded; null for desk visits. */
  paid: z.nullable(Money),
  refund: z.nullable(Money),
})
export type VisitInTimeOff = z.infer<typeof VisitInTimeOff>

/** Earliest first. */
export const VisitsInTimeOff = z.array(VisitInTimeOff)

/** On whose behalf staff cancel or move: the terms are those that person would have been shown. */
const OnBehalfOf = z.enum(['patient', 'provider'], { error: 'Choose who asked.' })

export const StaffTermsInput = z.strictObject({ id: AppointmentId, for: OnBehalfOf })
export type StaffTermsInput = z.infer<typeof StaffTermsInput>

export const CancelForInput = z.strictObject({
  ...CancelInput.shape,
  for: OnBehalfOf,
  reason: StaffReason,
})
export type CancelForInput = z.infer<typeof CancelForInput>

/** The path that a link in an email about a visit leads to, before the visit's id and its signature. */
export const VISIT_PATH = '/visit'

/** Every invalid link gets the same answer. */
const linkPart = z.string().check(z.maxLength(64, { error: 'visit_link_invalid' }))

/** What such a link carries. */
const link = { id: linkPart, mac: linkPart }

export const VisitLink = z.strictObject(link)
export type VisitLink = z.infer<typeof VisitLink>

/**
 * A visit as anybody with its link sees it: who, where, when and what cancelling costs. Emails are forwarded
 * and read by others, so never its purpose, and nothing about the patient.
 */
export const LinkedVisit = z.object({
  id: AppointmentId,
  reference: Visit.shape.reference,
  provider: Visit.shape.provider,
  region: Visit.shape.region,
  place: Visit.shape.place,
  mode: Visit.shape.mode,
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  cancellation: Visit.shape.cancellation,
  state: Visit.shape.state,
  typeOfVisit: Visit.shape.typeOfVisit,
  typeId: Visit.shape.typeId,
  typeName: Visit.shape.typeName,
  fee: Money,
  paymentMethod: PaymentMethod,
  calendarLinks: Visit.shape.calendarLinks,
  /** Null for a cancelled visit. */
  calendarFile: z.nullable(CalendarFile),
  /** What cancelling would do now, and how many moves are left; null once it has started or is cancelled. */
  terms: z.nullable(VisitTerms),
  /** Earliest first. */
  moves: z.array(VisitMove),
  /** As for the account, without the provider's note, which may be about health. */
  proposed: z.nullable(z.omit(ProposedTimes, { note: true })),
  /** What happened to the money of a cancelled visit; null where nothing was recorded. */
  cancelled: z.nullable(
    z.object({
      by: z.enum(['patient', 'provider', 'staff', 'system']),
      refund: z.nullable(Money),
      kept: z.nullable(Money),
    }),
  ),
  /** The signed-in account is its patient. */
  isOwn: z.boolean(),
})
export type LinkedVisit = z.infer<typeof LinkedVisit>

export const CancelByLinkInput = z.strictObject({
  ...link,
  sequence: Sequence,
  refund: Money,
})
export type CancelByLinkInput = z.infer<typeof CancelByLinkInput>

export const CancelledByLink = z.object({ visit: LinkedVisit, refund: Money })
export type CancelledByLink = z.infer<typeof CancelledByLink>

export const MoveTermsByLinkInput = z.strictObject({ ...link, slot: SlotTime })
export type MoveTermsByLinkInput = z.infer<typeof MoveTermsByLinkInput>

export const MoveByLinkInput = z.strictObject({
  ...link,
  sequence: Sequence,
  slot: SlotTime,
  /** As in `MoveInput`; the refusal does not reveal the provider of the other visit. */
  overlapOk: z.optional(z.boolean()),
  isProposed: MoveInput.shape.isProposed,
})
export type MoveByLinkInput = z.infer<typeof MoveByLinkInput>

export const MovedByLink = z.object({ visit: LinkedVisit })
export type MovedByLink = z.infer<typeof MovedByLink>

export const MoveForInput = z.strictObject({
  id: AppointmentId,
  sequence: Sequence,
  slot: SlotTime,
  for: OnBehalfOf,
  reason: StaffReason,
})
export type MoveForInput = z.infer<typeof MoveForInput>

const uniqueSlots = z.refine<SlotTime[]>(
  (slots) =>
    new Set(slots.map(({ startsAt, date, time }) => startsAt ?? `${date} ${time}`)).size ===
    slots.length,
  { error: 'Add each time only once.' },
)

/** The provider's times that the patient is asked to choose from. None of them is held. */
export const ProposeInput = z.strictObject({
  id: AppointmentId,
  sequence: MoveAgreedInput.shape.sequence,
  slots: z
    .array(SlotTime)
    .check(
      z.minLength(1, { error: 'Add at least one time.' }),
      z.maxLength(MAX_PROPOSED_TIMES, { error: 'Propose up to three times.' }),
      uniqueSlots,
    ),
  note: MoveAgreedInput.shape.note,
})
export type ProposeInput = z.infer<typeof ProposeInput>

/** The patient keeps the current time of the visit; `at` identifies the proposal. */
export const KeepTimeInput = z.strictObject({ id: AppointmentId, at: IsoInstant })
export type KeepTimeInput = z.infer<typeof KeepTimeInput>

/** The same through a link in an email. */
export const KeepTimeByLinkInput = z.strictObject({
  ...VisitLink.shape,
  at: KeepTimeInput.shape.at,
})
export type KeepTimeByLinkInput = z.infer<typeof KeepTimeByLinkInput>

export const KeepTimeByLinkResponse = z.object({ visit: LinkedVisit })
export type KeepTimeByLinkResponse = z.infer<typeof KeepTimeByLinkResponse>
