import type { Instant } from '#db/columns.ts'
import type { PaymentDifferenceRow, PaymentRow, RefundRow } from '#db/tables/payments.ts'
import type { GatewayCharge } from '#server/gateways/payment-gateways.ts'
import { isDecided } from '#server/payments/rules.ts'

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

type Judged = Pick<PaymentRow, 'state' | 'amount_minor' | 'currency' | 'gw_payment' | 'created_at'>

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
  if (taken.amountMinor !== payment.amount_minor || taken.currency !== payment.currency) {
    return 'amount'
  }
  const isExplained = payment.state === 'paid' ? isVisited : isRefunded(taken, refunds)
  return isExplained ? null : 'no_visit'
}
