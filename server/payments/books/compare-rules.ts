import type { Instant } from '#db/columns.ts'
import type { PaymentDifferenceRow, PaymentRow, RefundRow } from '#db/tables/payments.ts'
import type { TakenMoney } from '#server/gateways/payment-gateways.ts'
import { isDecided } from '#server/payments/rules.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

export type DifferenceKind = PaymentDifferenceRow['kind']

/** Gateways repeat their events for three days, and a bank may take as long to decide. */
const LOOK_BACK_MS = 3 * DAY

/** What is younger is still being settled by those whose work that is. */
const YOUNG_MS = HOUR

/** From when on the books are compared: with what was compared before, so that nothing slips by. */
export function comparedFrom(last: Instant | undefined, now: Instant): Instant {
  return Math.min(last ?? now, now) - LOOK_BACK_MS
}

/** Once a day; the first time at once. */
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

/** Whether each minor unit taken went back, is on its way, or waits for staff as a failed refund. */
function isGivenBack(taken: TakenMoney, refunds: Ours['refunds']): boolean {
  const counted = refunds.filter((one) => one.state !== 'failed' || one.dealt_at === null)
  return counted.reduce((sum, one) => sum + one.amount_minor, 0) >= taken.amountMinor
}

/** What is wrong about money that was taken for a payment of ours, after that was settled. */
export function judgeTaken(
  taken: TakenMoney,
  { payment, isVisited, refunds, now }: Ours,
): DifferenceKind | null {
  // Another charge for what was paid for already.
  if (payment.gw_payment !== null && payment.gw_payment !== taken.gwPayment) return 'no_payment'
  // Staff were told when it was found.
  if (payment.state === 'review') return null
  // Nothing of ours took it: it will be settled when its time comes, or nobody knows how.
  if (!isDecided(payment.state)) return now - payment.created_at < YOUNG_MS ? null : 'no_visit'
  if (taken.amountMinor !== payment.amount_minor || taken.currency !== payment.currency) {
    return 'amount'
  }
  const isExplained = payment.state === 'paid' ? isVisited : isGivenBack(taken, refunds)
  return isExplained ? null : 'no_visit'
}
