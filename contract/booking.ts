import * as z from 'zod/mini'
import { CaptchaValue } from './base/captcha.ts'
import { AppointmentId, PaymentId, ProviderId, Reference, VisitTypeId } from './base/ids.ts'
import { Money } from './base/money.ts'
import { stripInvisible } from './base/people.ts'
import { Region } from './base/region.ts'
import { IsoInstant } from './base/time.ts'
import { UsState } from './base/us-states.ts'
import { BOOKED } from './life-cycles/visit.ts'
import { PatientOutcome } from './outcomes.ts'
import { VisitMode } from './search.ts'

/** Most times a provider may propose at once, and most proposals for one visit. */
export const MAX_PROPOSED_TIMES = 3
export const MAX_PROPOSALS = 3

/** Other times that a provider has proposed to the patient of an upcoming visit. */
export const ProposedTimes = z.object({
  /** When they were proposed; identifies this proposal among earlier and later ones. */
  at: IsoInstant,
  note: z.nullable(z.string()),
  /** Those still free, earliest first; never empty. */
  times: z.array(z.object({ startsAt: IsoInstant, timeZone: z.string(), place: z.string() })),
})
export type ProposedTimes = z.infer<typeof ProposedTimes>

/** How long a time is held during checkout; can be renewed once. */
export const HOLD_MS = 15 * 60_000

/** Times one person may hold at once: enough for two tabs and a change of mind. */
export const MAX_HOLDS = 3

/**
 * Times one person may hold in 24 hours without booking them. All visitors of a network count as one, who is
 * asked for a challenge beyond it.
 */
export const MAX_UNPAID_PER_DAY = 20

/** Visits one person may book in 24 hours. */
export const MAX_BOOKINGS_PER_DAY = 10

/** Upcoming visits one person may have at once, holds included. */
export const MAX_UPCOMING = 8

/** How many of those may be with one provider. */
export const MAX_UPCOMING_WITH_PROVIDER = 3

/** `typeOfVisit` of the specification. */
export const VisitType = z.enum(['first_visit', 'follow_up'])
export type VisitType = z.infer<typeof VisitType>

/** `paymentMethod` of the specification. */
export const PaymentMethod = z.enum(['stripe', 'paypal'])
export type PaymentMethod = z.infer<typeof PaymentMethod>

/** State of a visit that is more than a hold. */
export const VisitState = z.enum(BOOKED)

/** Trimmed text of this length or less is too short to describe a purpose. */
const PURPOSE_TOO_SHORT = 10
export const PURPOSE_MAX = 2_000

/** What is wrong with a purpose of the visit, in the documented words; null when it will do. */
export function purposeProblem(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > PURPOSE_MAX) {
    return `Shorten this to ${PURPOSE_MAX.toLocaleString('en-GB')} characters; it has ${trimmed.length.toLocaleString('en-GB')}.`
  }
  if (trimmed.length > PURPOSE_TOO_SHORT) return null
  return /\p{L}/u.test(trimmed)
    ? 'Please describe more about your medical concern'
    : 'Add a valid concern'
}

/** The patient's plain text, with invisible characters removed. */
export const Purpose = z.string().check(
  stripInvisible,
  z.trim(),
  z.superRefine((text, ctx) => {
    const problem = purposeProblem(text)
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem })
  }),
)

/**
 * A provider's time: an instant, or a date and wall time in the zone of the main place, as links carry it. Of a wall
 * time that happens twice, the first one offered counts.
 */
const slotFields = {
  providerId: ProviderId,
  /** The region the caller assumes: the provider is not found in any other. */
  region: z.optional(Region),
  /** Visit type; the provider's first when left out. */
  typeId: z.optional(VisitTypeId),
  startsAt: z.optional(z.iso.datetime({ error: 'date_invalid' })),
  date: z.optional(z.iso.date({ error: 'date_invalid' })),
  time: z.optional(
    z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'date_invalid' })),
  ),
}

type SlotTimeFields = {
  startsAt?: string | undefined
  date?: string | undefined
  time?: string | undefined
}

const onlyOneTime = z.superRefine<SlotTimeFields>(({ startsAt, date, time }, context) => {
  const isWall = date !== undefined && time !== undefined
  const isNone = date === undefined && time === undefined
  if (startsAt === undefined ? isWall : isNone) return
  context.addIssue({ code: 'custom', path: ['startsAt'], message: 'date_invalid' })
})

const holdFields = {
  ...slotFields,
  /** Miles from where the person searched, one decimal: for display only. */
  distance: z.optional(z.string().check(z.regex(/^\d{1,4}(\.\d)?$/))),
  /** How it is to take place; left out, in person if that is offered. */
  mode: z.optional(VisitMode),
  /** A solved challenge, needed after `captcha_required`. */
  captchaValue: z.optional(CaptchaValue),
}

export const HoldInput = z
  .strictObject({
    ...holdFields,
    /** The patient accepts an overlap with their other visit: without it that is `visits_overlap`. */
    overlapOk: z.optional(z.boolean()),
  })
  .check(onlyOneTime)
export type HoldInput = z.infer<typeof HoldInput>

export const HoldRef = z.strictObject({ holdId: AppointmentId })
export type HoldRef = z.infer<typeof HoldRef>

/** What was entered in the checkout so far, saved so that a reload or another tab loses nothing. */
export const DescribeInput = z.strictObject({
  holdId: AppointmentId,
  typeOfVisit: z.optional(VisitType),
  mode: z.optional(VisitMode),
  /** USA: where the patient will be for a visit by video; providers are licensed by state. */
  patientState: z.optional(UsState),
  paymentMethod: z.optional(PaymentMethod),
  purposeForVisit: z.optional(Purpose),
})
export type DescribeInput = z.infer<typeof DescribeInput>

/** What cancelling costs, by the server's clock, under the provider's policy on the day of booking. */
export const Cancellation = z.object({
  freeHours: z.int(),
  latePercent: z.int(),
  noShowPercent: z.int(),
  /** The whole fee is refunded when it is cancelled before this. */
  freeUntil: IsoInstant,
  /** Whether cancelling is free now. */
  isFree: z.boolean(),
  /** What is kept of each fee after that. */
  kept: z.object({ first_visit: Money, follow_up: Money }),
})
export type Cancellation = z.infer<typeof Cancellation>

/** Name of the visit's type when its time was held; null where its provider had only one. */
export const TypeName = z.nullable(z.string())

/** "Hygienist (first visit)", or only the kind where the type has no name. */
export function withTypeName(kind: string, typeName: string | null): string {
  return typeName === null ? kind : `${typeName} (${kind.toLowerCase()})`
}

/** Who is visited, where and when: the same block on the checkout, the confirmation and the account. */
export const VisitFacts = z.object({
  id: AppointmentId,
  reference: Reference,
  provider: z.object({
    id: ProviderId,
    name: z.string(),
    specialty: z.string(),
    photo: z.nullable(z.string()),
    /** The practice's number at this place; the provider's own is never shown. */
    phone: z.nullable(z.string()),
  }),
  region: Region,
  place: z.object({
    name: z.string(),
    address: z.string(),
    postcode: z.string(),
    latitude: z.number(),
    longitude: z.number(),
  }),
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  /** The clinic's own zone; every time of an in-person visit is shown in it. */
  timeZone: z.string(),
  mode: VisitMode,
  /** Type of the visit; null where it was booked before there were types. */
  typeId: z.nullable(VisitTypeId),
  typeName: TypeName,
  distance: z.nullable(z.string()),
  cancellation: Cancellation,
})
export type VisitFacts = z.infer<typeof VisitFacts>

/** Zone of the provider's main place, in which links to a time carry its date and time, wherever it is. */
const MainZone = z.string()

/** A time held for the viewer, as the checkout shows it. */
export const Hold = z.object({
  ...VisitFacts.shape,
  mainZone: MainZone,
  /** `held` counts down; after that the time is either paid for or free for others again. */
  state: z.enum(['held', 'confirmed', 'released']),
  holdUntil: IsoInstant,
  /** Whether the hold can still be renewed, once. */
  canRenew: z.boolean(),
  fees: z.object({ first_visit: Money, follow_up: Money }),
  /** How it can take place, as its provider offers it now. */
  modes: z.array(VisitMode),
  /** USA: states whose patients the provider may see by video; none elsewhere. */
  licensedStates: z.array(z.string()),
  /** Two-letter code, once the patient has given it. */
  patientState: z.nullable(z.string()),
  /** Why the lower fee cannot be chosen; null when it can. */
  followUpRefusal: z.nullable(z.string()),
  typeOfVisit: VisitType,
  paymentMethod: PaymentMethod,
  purposeForVisit: z.string(),
  /** A code for this booking was verified and is still good. */
  isCodeVerified: z.boolean(),
  /** The wallet's order being captured: wait for it rather than paying again. */
  movingOrder: z.nullable(z.string()),
})
export type Hold = z.infer<typeof Hold>

/** The times the viewer holds now, the first to expire first. */
export const Holds = z.array(Hold)

/** What a visitor chose; kept until they sign in. */
export const VisitorHoldInput = z.strictObject(holdFields).check(onlyOneTime)
export type VisitorHoldInput = z.infer<typeof VisitorHoldInput>

/** A time held for a visitor: it cannot be paid for before an account has taken it over. */
export const VisitorHold = z.object({
  provider: z.object({
    id: ProviderId,
    name: z.string(),
    specialty: z.string(),
    photo: z.nullable(z.string()),
  }),
  region: Region,
  place: VisitFacts.shape.place,
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  mainZone: MainZone,
  mode: VisitMode,
  typeId: VisitFacts.shape.typeId,
  typeName: TypeName,
  distance: z.nullable(z.string()),
  holdUntil: IsoInstant,
})
export type VisitorHold = z.infer<typeof VisitorHold>

export const SlotInput = z.strictObject(slotFields).check(onlyOneTime)
export type SlotInput = z.infer<typeof SlotInput>

const { startsAt: slotStart, date: slotDate, time: slotTime } = slotFields
/** A time with the provider of the visit in question. */
export const SlotTime = z
  .strictObject({ startsAt: slotStart, date: slotDate, time: slotTime })
  .check(onlyOneTime)
export type SlotTime = z.infer<typeof SlotTime>

/** What the caller believes a booking to be: only compared with it, never used. */
export const ExpectedVisit = z.strictObject({
  providerId: z.optional(z.string()),
  region: z.optional(z.string()),
  date: slotFields.date,
  time: slotFields.time,
  endTime: slotFields.time,
  isFollowUp: z.optional(z.boolean()),
  purpose: z.optional(z.string().check(z.maxLength(4_000))),
})
export type ExpectedVisit = z.infer<typeof ExpectedVisit>

/** Advisory only: the hold decides. Also true for a time the viewer holds. */
export const SlotResponse = z.object({ available: z.boolean() })
export type SlotResponse = z.infer<typeof SlotResponse>

/** URLs of prefilled events; each opens a web calendar. */
export const CalendarLinks = z.object({ google: z.string(), outlook: z.string() })
export type CalendarLinks = z.infer<typeof CalendarLinks>

/** The fee kept for a late cancellation, and whether it is refunded. */
export const LateFee = z.object({
  amount: Money,
  /** `open`: refunded if somebody else takes the time; `returned`: somebody did; `kept`: nobody did. */
  state: z.enum(['open', 'returned', 'kept']),
})
export type LateFee = z.infer<typeof LateFee>
/** A move of a visit, when and by whom; each start with the time zone of its place. */
export const VisitMove = z.object({
  at: IsoInstant,
  by: z.enum(['patient', 'provider', 'staff', 'system']),
  from: IsoInstant,
  fromZone: z.string(),
  to: IsoInstant,
  toZone: z.string(),
})
export type VisitMove = z.infer<typeof VisitMove>

/** A booked visit as its patient sees it. */
export const Visit = z.object({
  ...VisitFacts.shape,
  state: VisitState,
  typeOfVisit: VisitType,
  /** USA: name of the state they said they will be in for a visit by video. */
  patientState: z.nullable(z.string()),
  purposeForVisit: z.string(),
  fee: Money,
  paymentMethod: PaymentMethod,
  /** The payment it was booked with, which has a receipt. */
  paymentId: z.nullable(PaymentId),
  bookedAt: IsoInstant,
  /** Null for a cancelled visit. */
  calendarLinks: z.nullable(CalendarLinks),
  outcome: PatientOutcome,
  /** Null where nothing was kept, or staff have refunded it. */
  lateFee: z.nullable(LateFee),
  /** Earliest first. */
  moves: z.array(VisitMove),
  /** Null where the provider proposes nothing, or none of the times is still free. */
  proposed: z.nullable(ProposedTimes),
})
export type Visit = z.infer<typeof Visit>

export const VISITS_PAGE_SIZE = 5
export const VisitsInput = z.strictObject({
  when: z.enum(['coming', 'past']),
  /** `next` of the previous page. */
  after: z.optional(z.string().check(z.maxLength(60))),
})
export type VisitsInput = z.infer<typeof VisitsInput>
export const VisitsPage = z.object({
  visits: z.array(Visit),
  next: z.nullable(z.string()),
  total: z.int(),
})
export type VisitsPage = z.infer<typeof VisitsPage>

export const VisitRef = z.strictObject({ id: AppointmentId })
export type VisitRef = z.infer<typeof VisitRef>
/** A calendar file (RFC 5545) of one visit. */
export const CalendarFile = z.object({ fileName: z.string(), text: z.string() })
export type CalendarFile = z.infer<typeof CalendarFile>

export const PurposeResponse = z.object({ purposeForVisit: z.string() })
export type PurposeResponse = z.infer<typeof PurposeResponse>
