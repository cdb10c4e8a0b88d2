import type { FailureReason, PaymentStatus } from '#contract/payments.ts'
import type { Instant } from '#db/columns.ts'
import type { PaymentRow } from '#db/tables/payments.ts'
import type { GatewayState } from '#server/gateways/payment-gateways.ts'

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

const FINAL: ReadonlySet<PaymentRow['state']> = new Set([
  'paid',
  'refund_due',
  'refunded',
  'review',
] as const)

/** Whether the state is final: no gateway state changes it. */
export function isDecided(state: PaymentRow['state']): boolean {
  return FINAL.has(state)
}

const LIVE: ReadonlySet<PaymentRow['state']> = new Set(['creating', 'open', 'capturing'] as const)

/** Whether money could still come in for it, as far as our own rows know. */
export function isLive(state: PaymentRow['state']): boolean {
  return LIVE.has(state)
}

/** Compares our row with the gateway's state. Only our amount and currency are trusted. */
export function judge(payment: Priced, gatewayState: GatewayState): Verdict {
  if (FINAL.has(payment.state)) return 'nothing'
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
      return payment.state === 'capturing' ? 'declined' : 'nothing'
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
