import { paymentLife } from '#contract/life-cycles/payment.ts'
import type { FailureReason, PaymentStatus } from '#contract/payments.ts'
import { REFUND_LIMIT } from '#contract/payments.ts'
import type { Instant } from '#db/columns.ts'
import type { PaymentDifferenceRow, PaymentRow, RefundRow } from '#db/tables/payments.ts'
import type {
  GatewayCharge,
  GatewayRefund,
  GatewayState,
} from '#server/gateways/payment-gateways.ts'

/** A gateway's clock and ours may differ by this. */
const CLOCK_MARGIN_MS = 5 * 60_000

/** Stripe rejects a session that expires sooner. */
const MIN_SESSION_MS = 30 * 60_000

/** Leaves time to retry the creation, even if the gateway's clock is ahead of ours. */
const SESSION_LIFE_MS = MIN_SESSION_MS + CLOCK_MARGIN_MS + 60_000

/** Minimum interval between reads of the gateway that a page triggers. */
const POLL_INTERVAL_MS = 5_000

/** When a session opened now expires at the gateway. */
export function sessionExpiry(now: Instant): Instant {
  // Gateways count in seconds: what is stored must be what is sent.
  return Math.ceil((now + SESSION_LIFE_MS) / 1_000) * 1_000
}

/**
 * Whether the stored request to open a payment can still succeed. Afterwards another payment replaces it:
 * even if the gateway created this one, no one can pay it, because its secret was never given out.
 */
export function mayStillOpen({ expires_at: end }: Pick<PaymentRow, 'expires_at'>, now: Instant) {
  return end - now > MIN_SESSION_MS
}

type Priced = Pick<PaymentRow, 'id' | 'state' | 'amount_minor' | 'currency'>

/** What the gateway's state means for a payment of ours. */
export type Verdict =
  /** The payment is final already, or the gateway has nothing new. */
  | 'nothing'
  /** Money that matches exactly: the booking takes it, or it is refunded. */
  | 'paid'
  /** Matches, but was already refunded in full or in part: nothing is booked. */
  | 'returned'
  /** Another amount, currency or payment: nothing is booked, staff decide. */
  | 'mismatch'
  /** It can no longer be paid. */
  | 'over'
  /** The payer was declined. */
  | 'declined'

/** Whether the state is final: no gateway state changes it. */
export function isDecided(state: PaymentRow['state']): boolean {
  return !paymentLife.may('book', state)
}

/** Whether money could still come in for it, as far as our own rows know. */
export function isLive(state: PaymentRow['state']): boolean {
  return paymentLife.may('expire', state)
}

/** Compares our row with the gateway's state. Only our amount and currency are trusted. */
export function judge(payment: Priced, gatewayState: GatewayState): Verdict {
  if (isDecided(payment.state)) return 'nothing'
  switch (gatewayState.state) {
    case 'paid': {
      const isOurs =
        gatewayState.paymentId === payment.id &&
        gatewayState.amountMinor === payment.amount_minor &&
        gatewayState.currency.toUpperCase() === payment.currency
      if (!isOurs) return 'mismatch'
      return gatewayState.returnedMinor > 0 ? 'returned' : 'paid'
    }
    case 'missing':
      // While money may be moving, a missing order is not conclusive.
      return payment.state === 'capturing' || !isLive(payment.state) ? 'nothing' : 'over'
    case 'closed':
      return isLive(payment.state) ? 'over' : 'nothing'
    case 'declined':
      return paymentLife.may('decline', payment.state) ? 'declined' : 'nothing'
    case 'open':
    case 'approved':
    case 'pending':
    case 'unclear':
      return 'nothing'
  }
}

/** State of a payment that our side alone has made impossible. */
export const CLOSED: GatewayState = {
  state: 'closed',
  paymentId: null,
  amountMinor: 0,
  currency: '',
  gwPayment: null,
  returnedMinor: 0,
  email: null,
}

/** Whether a session must have expired by the gateway's clock, for when the gateway is unreachable. */
export function isOverByTime(payment: Pick<PaymentRow, 'expires_at'>, now: Instant): boolean {
  return now > payment.expires_at + CLOCK_MARGIN_MS
}

/**
 * Whether it is too late to take the money: the visit can no longer be paid for, or the payer approved it so
 * long ago that they no longer expect a charge.
 */
export function isTooLateToCapture(
  payment: Pick<PaymentRow, 'expires_at'>,
  payBy: Instant,
  now: Instant,
): boolean {
  return now >= payBy || isOverByTime(payment, now)
}

/** Whether a page may trigger another read of the gateway. */
export function mayPoll(payment: Pick<PaymentRow, 'checked_at'>, now: Instant): boolean {
  return now - payment.checked_at >= POLL_INTERVAL_MS
}

function reasonOf({ state, reason }: Pick<PaymentRow, 'state' | 'reason'>): FailureReason {
  if (state === 'review') return 'review'
  if (reason === 'refunded') return 'refunded'
  if (state === 'refund_due' || state === 'refunded') return 'slot_lost'
  if (reason === 'declined') return 'declined'
  return state === 'abandoned' ? 'cancelled' : 'expired'
}

/** The documented status of a payment, and why it failed. */
export function statusOf(
  payment: Pick<PaymentRow, 'state' | 'reason'>,
): Pick<PaymentStatus, 'status' | 'reason'> {
  if (payment.state === 'paid') return { status: 'COMPLETED', reason: null }
  if (isLive(payment.state)) return { status: 'PENDING', reason: null }
  return { status: 'FAILED', reason: reasonOf(payment) }
}

const INITIAL_REFUND_WAIT_MS = 10_000
const MAX_REFUND_WAIT_MS = 10 * 60_000

/** Milliseconds until a refund is tried again after `tries` failures. */
export function refundWait(tries: number): number {
  return Math.min(MAX_REFUND_WAIT_MS, INITIAL_REFUND_WAIT_MS * 2 ** Math.min(tries, 10))
}

const INITIAL_EVENT_WAIT_MS = 2_000
const MAX_EVENT_WAIT_MS = 10 * 60_000

/** Tries after which an event about an unknown object is marked as processed. */
export const MAX_EVENT_TRIES = 12

/** Milliseconds before retrying an event after `tries` unsuccessful tries. */
export function eventWait(tries: number): number {
  return Math.min(MAX_EVENT_WAIT_MS, INITIAL_EVENT_WAIT_MS * 2 ** Math.min(tries, 10))
}

type Money = { minor: number; currency: string }
type PaymentAmounts = Pick<
  PaymentRow,
  'amount_minor' | 'currency' | 'taken_minor' | 'taken_currency'
>
type RefundAmounts = Pick<RefundRow, 'amount_minor' | 'state' | 'reason'>
type ActedRefunds = {
  refunds: readonly (RefundAmounts & Pick<RefundRow, 'actor_id'>)[]
  /** Staff by account id. */
  staff: ReadonlyMap<string, unknown>
}

/** The amount received for a payment: the requested one, unless a different one was recorded. */
export function receivedAmount(payment: PaymentAmounts): Money {
  return {
    minor: payment.taken_minor ?? payment.amount_minor,
    currency: payment.taken_currency ?? payment.currency,
  }
}

/** Whether a refund at a gateway is this one: by the gateway's id or, before there is one, by our key. */
export function isRefundOf(
  refund: Pick<RefundRow, 'gw_refund' | 'key'>,
  money: Pick<GatewayRefund, 'id' | 'key'>,
): boolean {
  return refund.gw_refund === null ? refund.key === money.key : refund.gw_refund === money.id
}

const sumOf = (refunds: readonly RefundAmounts[]) =>
  refunds.reduce((sum, { amount_minor: minor }) => sum + minor, 0)

/** Minor units refunded or being refunded; failed refunds are not counted. */
export function refundedMinor(refunds: readonly RefundAmounts[]): number {
  return sumOf(refunds.filter(({ state }) => state !== 'failed'))
}

/** Minor units that staff may still refund. A payment without a booking is decided in review instead. */
export function refundableOf(
  payment: PaymentAmounts & Pick<PaymentRow, 'state'>,
  refunds: readonly RefundAmounts[],
): number {
  if (payment.state !== 'paid') return 0
  return Math.max(0, receivedAmount(payment).minor - refundedMinor(refunds))
}

/**
 * Whether another refund of this amount needs a superuser. The limit covers all that staff refund of one
 * payment, also by cancelling its visit, so that many small refunds cannot get around it. It is above nine of ten
 * visit fees: everyday refunds need no second person, while a compromised account cannot refund the largest sums.
 */
export function isOverLimit(
  more: Money,
  { refunds, staff }: ActedRefunds,
): { limit: number; isOver: boolean } {
  const limit = REFUND_LIMIT[more.currency] ?? 0
  const byStaff = refunds.filter(
    ({ reason, actor_id: actor }) =>
      reason === 'staff' || reason === 'review' || staff.has(actor ?? ''),
  )
  return { limit, isOver: more.minor > 0 && refundedMinor(byStaff) + more.minor > limit }
}

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

export type DifferenceKind = PaymentDifferenceRow['kind']

/** Gateways retry their events for three days, and a bank may take as long to decide. */
const LOOK_BACK_MS = 3 * DAY

/** Younger payments may still be settled by the regular jobs. */
const SETTLING_MS = HOUR

/** Start of the comparison: overlaps the last one, so that nothing is missed. */
export function comparedFrom(last: Instant | undefined, now: Instant): Instant {
  return Math.min(last ?? now, now) - LOOK_BACK_MS
}

/** Once a day, and immediately if there was none yet. */
export function isComparisonDue(last: Instant | undefined, now: Instant): boolean {
  return last === undefined || now - last >= DAY || now < last
}

type Judged = PaymentAmounts & Pick<PaymentRow, 'state' | 'gw_payment' | 'created_at'>

type Ours = {
  payment: Judged
  isVisited: boolean
  refunds: readonly Pick<RefundRow, 'amount_minor' | 'state' | 'dealt_at'>[]
  now: Instant
}

/** Whether the full amount was refunded, is being refunded, or waits for staff as a failed refund. */
function isRefunded(taken: GatewayCharge, refunds: Ours['refunds']): boolean {
  const counted = refunds.filter((one) => one.state !== 'failed' || one.dealt_at === null)
  return counted.reduce((sum, one) => sum + one.amount_minor, 0) >= taken.amountMinor
}

/** What is wrong with a charge for a payment of ours, after settling; null if nothing. */
export function judgeCharge(
  taken: GatewayCharge,
  { payment, isVisited, refunds, now }: Ours,
): DifferenceKind | null {
  // A second charge for a payment that already has one.
  if (payment.gw_payment !== null && payment.gw_payment !== taken.gwPayment) return 'no_payment'
  // Staff were notified when it entered review.
  if (payment.state === 'review') return null
  // Not settled: fine for a young payment, else it cannot be settled automatically.
  if (!isDecided(payment.state)) return now - payment.created_at < SETTLING_MS ? null : 'no_visit'
  // Of a payment that staff decided about in review, the amount received is known to differ from the price.
  const received = receivedAmount(payment)
  if (taken.amountMinor !== received.minor || taken.currency !== received.currency) return 'amount'
  const isExplained = payment.state === 'paid' ? isVisited : isRefunded(taken, refunds)
  return isExplained ? null : 'no_visit'
}
