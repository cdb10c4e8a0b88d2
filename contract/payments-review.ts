import * as z from 'zod/mini'
import { AppointmentId, PaymentId } from './base/ids.ts'
import { GatewayAmount, Money } from './base/money.ts'
import { Page } from './base/paging.ts'
import { IsoDate, IsoInstant } from './base/time.ts'
import { Gateway, StaffReason } from './payments.ts'

/** A payment that differs from what was asked for; nobody is booked before staff decide. */
const ReviewRow = z.object({
  id: AppointmentId,
  paymentId: PaymentId,
  user_name: z.nullable(z.string()),
  doctor_name: z.nullable(z.string()),
  startsAt: IsoInstant,
  timeZone: z.string(),
  foundAt: IsoInstant,
  gateway: Gateway,
  expected: Money,
  taken: z.nullable(GatewayAmount),
  reference: z.nullable(z.string()),
  /** Why it cannot be accepted as paid, as a sentence; null when it can, as far as we know. */
  whyNotAccept: z.nullable(z.string()),
})
export type ReviewRow = z.infer<typeof ReviewRow>

/**
 * `why` of a failed refund that may have been paid all the same: the gateway no longer lists the payment's
 * refunds, so its own records have to be checked first.
 */
export const REFUNDS_NOT_LISTED = 'refunds_not_listed'

/** A refund the gateway could not pay out: a person has to do it. */
const FailedRefund = z.object({
  id: AppointmentId,
  refundId: z.string(),
  user_name: z.nullable(z.string()),
  doctor_name: z.nullable(z.string()),
  gateway: Gateway,
  amount: GatewayAmount,
  failedAt: IsoInstant,
  /** The gateway's reason for refusing, or `REFUNDS_NOT_LISTED`; null where the bank returned the money later. */
  why: z.nullable(z.string()),
  reference: z.nullable(z.string()),
})
export type FailedRefund = z.infer<typeof FailedRefund>

export const Reviews = z.object({
  payments: z.array(ReviewRow),
  refunds: z.array(FailedRefund),
})
export type Reviews = z.infer<typeof Reviews>

/** Input of `payments.decideReview`. */
export const DecideReviewInput = z.strictObject({
  paymentId: PaymentId,
  /** `accept`: the visit is booked, and any excess is refunded. `return`: everything is refunded. */
  decision: z.enum(['accept', 'return']),
  reason: StaffReason,
})
export type DecideReviewInput = z.infer<typeof DecideReviewInput>

/** Input of `payments.settleRefund`: a failed refund was paid back another way. */
export const SettleRefundInput = z.strictObject({
  refundId: z.string().check(z.regex(/^rfd_[0-9a-z]{26}$/)),
  reason: StaffReason,
})
export type SettleRefundInput = z.infer<typeof SettleRefundInput>

const DifferenceKind = z.enum([
  'no_payment',
  'amount',
  'no_visit',
  'refund_unknown',
  'no_money',
  'no_answer',
  'dispute',
])
export type DifferenceKind = z.infer<typeof DifferenceKind>

/** Differences on a page. */
export const DIFFERENCES_PAGE_SIZE = 20

export const DifferencesInput = z.strictObject({
  page: z._default(Page, 1),
  show: z._default(z.enum(['open', 'dealt']), 'open'),
})
export type DifferencesInput = z.infer<typeof DifferencesInput>

const differenceKey = {
  gateway: Gateway,
  object: z.string().check(z.minLength(1), z.maxLength(255)),
  kind: DifferenceKind,
}

/** A mismatch between a gateway's records and ours that the daily comparison could not fix. */
export const Difference = z.object({
  ...differenceKey,
  /** The appointment it is about, where there is one. */
  id: z.nullable(AppointmentId),
  paymentId: z.nullable(PaymentId),
  amount: GatewayAmount,
  /** What we have, where we have a payment. */
  ours: z.nullable(Money),
  /** What the gateway says of it, such as why a payment is disputed. */
  details: z.nullable(z.string()),
  foundAt: IsoInstant,
  dealtAt: z.nullable(IsoInstant),
  dealtBy: z.nullable(z.string()),
  dealtNote: z.nullable(z.string()),
})
export type Difference = z.infer<typeof Difference>

export const Differences = z.object({
  differences: z.array(Difference),
  current_page: z.int(),
  total_pages: z.int(),
  total: z.int(),
})
export type Differences = z.infer<typeof Differences>

/** Input of `payments.settleDifference`. */
export const SettleDifferenceInput = z.strictObject({ ...differenceKey, reason: StaffReason })
export type SettleDifferenceInput = z.infer<typeof SettleDifferenceInput>

/** Payment matters that wait for a person. */
export const ReviewCount = z.object({
  payments: z.int(),
  refunds: z.int(),
  differences: z.int(),
})
export type ReviewCount = z.infer<typeof ReviewCount>

/** Days the chart of bookings and income shows, today included. */
export const INCOME_DAYS = 30

/** Bookings and income of one day, in the local time of each region, before refunds. */
const IncomeDay = z.object({
  date: IsoDate,
  bookings: z.int(),
  /** Minor units. */
  income: z.object({ GBP: z.int(), USD: z.int() }),
})
export type IncomeDay = z.infer<typeof IncomeDay>

/** The last thirty days, oldest first, including days without bookings. */
export const IncomeByDay = z.object({
  days: z.array(IncomeDay),
  bookings: z.int(),
  income: z.object({ GBP: z.int(), USD: z.int() }),
})
export type IncomeByDay = z.infer<typeof IncomeByDay>
