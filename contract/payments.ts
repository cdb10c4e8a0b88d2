import * as z from 'zod/mini'
import { AppointmentId, PaymentId, Reference, readReference } from './base/ids.ts'
import { GatewayAmount, Money } from './base/money.ts'
import { Page } from './base/paging.ts'
import { IsoInstant } from './base/time.ts'
import { UsState } from './base/us-states.ts'
import { ExpectedVisit, Purpose, Visit, VisitType } from './booking.ts'
import { paymentLife } from './life-cycles/payment.ts'
import { refundLife } from './life-cycles/refund.ts'
import { BOOKED, UNPAID } from './life-cycles/visit.ts'
import {
  HistoryMethod,
  HistoryMonth,
  HistorySort,
  HistorySortBy,
  monthNeedsYear,
} from './payments-history.ts'
import { VisitMode } from './search.ts'

/** The page asks this often whether a payment is through, and this many times (specification, 9). */
export const POLL_MS = 5_000
export const POLL_TRIES = 12
/** How long 'Payment Successful!' is shown, and how long after it the page moves on. */
export const SUCCESS_MS = 6_000
export const REDIRECT_MS = 3_000
/** How long 'Payment is Cancelled' and the wallet's error are shown. */
export const WALLET_MESSAGE_MS = 10_000

/** How the page reaches the gateways. Public values only. */
export const PaymentOptions = z.object({
  stripe: z.object({ publishableKey: z.string() }),
  paypal: z.object({ clientId: z.string(), environment: z.enum(['sandbox', 'production']) }),
  /** Scripts of the sandbox, loaded before the packages; empty in live mode. */
  sandboxScripts: z.array(z.string()),
})
export type PaymentOptions = z.infer<typeof PaymentOptions>

export const PayInput = z.strictObject({
  holdId: AppointmentId,
  typeOfVisit: VisitType,
  /** How the page showed the visit, in case saving the choice had failed; as saved when omitted. */
  mode: z.optional(VisitMode),
  /** USA: the state the page showed, likewise. */
  patientState: z.optional(UsState),
  purposeForVisit: Purpose,
  /** The price the page showed; when ours differs, nothing is charged. */
  shown: Money,
})
export type PayInput = z.infer<typeof PayInput>

export const CardStart = z.object({
  paymentId: PaymentId,
  clientSecret: z.string(),
  /** When the hold ends and the frame must be removed. */
  holdUntil: IsoInstant,
})
export type CardStart = z.infer<typeof CardStart>

export const WalletStart = z.object({ paymentId: PaymentId, orderId: z.string() })
export type WalletStart = z.infer<typeof WalletStart>

/** Ids of gateways: letters, digits, `_` and `-`. */
const GatewayId = z.string().check(z.regex(/^[\w-]{1,255}$/))

export const CaptureInput = z.strictObject({
  orderId: GatewayId,
  /** Minor units the patient saw, compared and never used. */
  selectedAmount: z.optional(z.number()),
  /** What the caller believes the visit to be, likewise only compared. */
  believed: z.optional(ExpectedVisit),
})
export type CaptureInput = z.infer<typeof CaptureInput>
/** `success` when the money was received or is on its way. */
export const CaptureResponse = z.object({ success: z.boolean() })
export type CaptureResponse = z.infer<typeof CaptureResponse>

export const StatusInput = z.strictObject({ orderId: GatewayId })
export type StatusInput = z.infer<typeof StatusInput>
/** Why a payment failed, for the sentence beside it. */
export const FailureReason = z.enum([
  'declined',
  'cancelled',
  'expired',
  'slot_lost',
  'refunded',
  'review',
])
export type FailureReason = z.infer<typeof FailureReason>
export const PaymentStatus = z.object({
  status: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
  reason: z.nullable(FailureReason),
  visitId: z.nullable(AppointmentId),
})
export type PaymentStatus = z.infer<typeof PaymentStatus>

export const ReturnInput = z.strictObject({ session_id: GatewayId })
export type ReturnInput = z.infer<typeof ReturnInput>
/** `complete` only when paid and booked; the address and the visit only for their owner. */
export const ReturnResponse = z.object({
  status: z.enum(['complete', 'open', 'processing', 'failed']),
  customer_email: z.nullable(z.string()),
  visit: z.nullable(Visit),
  /** The hold to return to while it lasts. */
  hold: z.nullable(
    z.object({
      id: AppointmentId,
      clientSecret: z.string(),
      holdUntil: IsoInstant,
    }),
  ),
  reason: z.nullable(FailureReason),
})
export type ReturnResponse = z.infer<typeof ReturnResponse>

/** `refunded`: all or part of the money was refunded, or is being refunded. */
export const StaffHistoryState = z.enum(['all', 'confirmed', 'cancelled', 'refunded'])
export type StaffHistoryState = z.infer<typeof StaffHistoryState>
const StaffHistoryRegion = z.enum(['all', 'uk', 'usa'])
export type StaffHistoryRegion = z.infer<typeof StaffHistoryRegion>

const NAME_MAX = 80

/** A reference as heard or typed, converted to its stored form; anything else finds nothing. */
const TypedReference = z.string().check(
  z.trim(),
  z.maxLength(40, { error: 'Shorten this.' }),
  z.overwrite((text: string) => readReference(text) ?? text),
)

const filters = {
  sort: z._default(HistorySort, 'desc'),
  sort_by: z._default(HistorySortBy, 'date'),
  payment_method: z._default(HistoryMethod, 'all'),
  /** Month of the visit at its place; needs a year. */
  month: z._default(HistoryMonth, 'all'),
  year: z.optional(z.int()),
  state: z._default(StaffHistoryState, 'all'),
  region: z._default(StaffHistoryRegion, 'all'),
  /** The reference of one appointment, as people read it out. */
  reference: z.optional(TypedReference),
  /** The gateway's id of a checkout session, payment intent, order or capture. */
  gateway: z.optional(z.string().check(z.trim(), z.maxLength(255, { error: 'Shorten this.' }))),
  /** The full email address of a patient or provider; for roles that may see names. */
  email: z.optional(
    z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254, { error: 'Shorten this.' })),
  ),
  /** Prefixes of the names of a patient or provider, one per word; for roles that may see names. */
  name: z.optional(
    z.string().check(z.trim(), z.minLength(2), z.maxLength(NAME_MAX, { error: 'Shorten this.' })),
  ),
}

type Search = { reference?: string; gateway?: string; email?: string; name?: string }

/**
 * What was typed into the search field: a reference, an email address, an id from a gateway (`pi_3Q…`,
 * `5O190127TN364715T`), or else a name. Empty for fewer than two characters.
 */
export function readSearch(typed: string): Search {
  const text = typed.trim()
  if (text.length < 2) return {}
  const reference = readReference(text)
  if (reference !== null) return { reference }
  if (text.includes('@')) return { email: text }
  if (/^[a-z]{2,5}_\w+$/i.test(text) || /^(?=.*\d)[0-9A-Z]{10,}$/i.test(text))
    return { gateway: text }
  return { name: text }
}

/** Input of `payments.staffHistory`: a page of everybody's booked appointments. */
export const StaffHistoryInput = z
  .strictObject({ page: z._default(Page, 1), ...filters })
  .check(monthNeedsYear)
export type StaffHistoryInput = z.infer<typeof StaffHistoryInput>

/** Input of `payments.printHistory`, and body of `EXPORT_PATH`: the same without a page. */
export const ExportInput = z.strictObject(filters).check(monthNeedsYear)
export type ExportInput = z.infer<typeof ExportInput>

export const Gateway = z.enum(['stripe', 'paypal'])
export type Gateway = z.infer<typeof Gateway>

const PaymentState = z.enum(paymentLife.states)
export type PaymentState = z.infer<typeof PaymentState>

const RefundState = z.enum(refundLife.states)
export type RefundState = z.infer<typeof RefundState>

/** Why a payment is refunded. */
export type RefundReason =
  /** A payment without a visit. */
  | 'slot_lost'
  | 'cancelled'
  | 'staff'
  | 'review'
  | 'overpaid'
  /** The provider, or staff, said that the visit did not take place. */
  | 'not_held'
  /** The patient did not come, and the provider keeps only a part. */
  | 'no_show'
  /** Somebody else took the time of a visit that was cancelled late: its fee is refunded as well. */
  | 'refilled'
  /** Refunded directly at the gateway; our records follow. */
  | 'gateway'

const BookingState = z.enum([...UNPAID, ...BOOKED])
export type BookingState = z.infer<typeof BookingState>

/** An event of a visit or its payments, in chronological order. */
export const TimelineEntry = z.object({
  at: IsoInstant,
  what: z.enum([
    'held',
    'started',
    'moved',
    'event',
    'booked',
    'released',
    'cancelled',
    'visit_moved',
    'times_proposed',
    'time_kept',
    'decided',
    'refund_asked',
    'refund_ended',
    'refund_dealt',
    'email',
  ]),
  /** Email address of the staff member who did it; null for everybody else. */
  who: z.nullable(z.string()),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** Time zones of the two times of a moved visit, where they are known. */
  fromZone: z.nullable(z.string()),
  toZone: z.nullable(z.string()),
  amount: z.nullable(GatewayAmount),
  /** A reason in words, the name of an event, or the subject of an email. */
  note: z.nullable(z.string()),
  /** The gateway's id for it. */
  reference: z.nullable(z.string()),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const PaymentDetail = z.object({
  id: PaymentId,
  gateway: Gateway,
  state: PaymentState,
  amount: Money,
  /** Amount received, where it differs from the amount asked for. */
  taken: z.nullable(GatewayAmount),
  refunded: GatewayAmount,
  /** Minor units that can still be refunded, of the amount received. */
  refundable: z.int(),
  session: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  startedAt: IsoInstant,
})
export type PaymentDetail = z.infer<typeof PaymentDetail>

/** Everything staff see of one visit and its payments; never its purpose. */
export const StaffPayment = z.object({
  id: AppointmentId,
  reference: Reference,
  user_name: z.nullable(z.string()),
  doctor_name: z.nullable(z.string()),
  doctor_region: z.string(),
  state: BookingState,
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  typeOfVisit: z.enum(['first_visit', 'follow_up']),
  /** Name of the type; null where its provider had only one. */
  typeName: z.nullable(z.string()),
  mode: VisitMode,
  /** USA: where the patient said they would be for a visit by video. */
  patientState: z.nullable(z.string()),
  /** Booked, and not started yet: its time can be released. */
  isComing: z.boolean(),
  /** The newest last. */
  payments: z.array(PaymentDetail),
  timeline: z.array(TimelineEntry),
})
export type StaffPayment = z.infer<typeof StaffPayment>

export const StaffPaymentInput = z.strictObject({ id: AppointmentId })
export type StaffPaymentInput = z.infer<typeof StaffPaymentInput>

const REASON = 'Give the reason: it is kept with the payment.'

/** Why staff did something: a few lines of plain text, stored and shown to staff only. */
export const StaffReason = z.string({ error: REASON }).check(
  z.trim(),
  z.minLength(1, { error: REASON, abort: true }),
  z.maxLength(500, { error: 'Use 500 characters or fewer.' }),
  z.overwrite((text: string) => text.replaceAll(/\r\n?/g, '\n')),
  z.regex(/^(?:[^\p{Cc}\p{Cf}\p{Co}\p{DI}]|\n)*$/u, {
    error: 'Use only letters, numbers and punctuation.',
  }),
)

/** Minor units; refunding more than this of one payment in total takes a superuser with a fresh step-up. */
export const REFUND_LIMIT: Readonly<Record<string, number>> = { GBP: 30_000, USD: 35_000 }

/** Input of `payments.refund`. */
export const RefundInput = z.strictObject({
  paymentId: PaymentId,
  /** Minor units of the amount received. */
  minor: z.int({ error: 'Enter an amount.' }).check(z.minimum(1, { error: 'Enter an amount.' })),
  reason: StaffReason,
  /** Idempotency key: sending the refund twice refunds once. */
  key: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
  /** Also cancels the upcoming visit; only when refunding all that is left. */
  releaseTime: z._default(z.boolean(), false),
})
export type RefundInput = z.infer<typeof RefundInput>
