import * as z from 'zod/mini'
import { ExpectedVisit, Purpose, Visit, VisitType } from './booking.ts'
import { AppointmentId, PaymentId } from './ids.ts'
import { Money } from './money.ts'
import { IsoInstant } from './time.ts'

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
  /** Scripts of the embedded sandbox, loaded before the packages; empty in live mode. */
  standIns: z.array(z.string()),
})
export type PaymentOptions = z.infer<typeof PaymentOptions>

export const PayInput = z.strictObject({
  holdId: AppointmentId,
  typeOfVisit: VisitType,
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
