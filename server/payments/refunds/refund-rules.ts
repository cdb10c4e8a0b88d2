import { REFUND_LIMIT } from '#contract/payments-staff.ts'
import type { PaymentRow, RefundRow } from '#db/tables/payments.ts'
import type { ReturnedMoney } from '#server/gateways/payment-gateways.ts'

type Money = { minor: number; currency: string }
type Taken = Pick<PaymentRow, 'amount_minor' | 'currency' | 'taken_minor' | 'taken_currency'>
type Given = Pick<RefundRow, 'amount_minor' | 'state' | 'reason'>

/** What came in for a payment: what was asked for, unless something else did. */
export function takenOf(payment: Taken): Money {
  return {
    minor: payment.taken_minor ?? payment.amount_minor,
    currency: payment.taken_currency ?? payment.currency,
  }
}

/** Whether money at a gateway is this refund: by the gateway's name of it, or by ours. */
export function isRefundOf(
  refund: Pick<RefundRow, 'gw_refund' | 'key'>,
  money: Pick<ReturnedMoney, 'id' | 'key'>,
): boolean {
  return refund.gw_refund === null ? refund.key === money.key : refund.gw_refund === money.id
}

const sumOf = (refunds: readonly Given[]) =>
  refunds.reduce((sum, { amount_minor: minor }) => sum + minor, 0)

/** Minor units that went back or are on their way; what failed for good is still with us. */
export function givenBack(refunds: readonly Given[]): number {
  return sumOf(refunds.filter(({ state }) => state !== 'failed'))
}

/** Minor units that staff may still give back. What nobody has booked with is decided about in review. */
export function refundableOf(
  payment: Taken & Pick<PaymentRow, 'state'>,
  refunds: readonly Given[],
): number {
  if (payment.state !== 'paid') return 0
  return Math.max(0, takenOf(payment).minor - givenBack(refunds))
}

/**
 * Whether giving back so much more is a superuser's. The limit is on all that staff give back of one
 * payment, so that many small refunds are no way around it. It lies above nine of ten fees for one visit:
 * what goes wrong at a desk every day needs no second person, and an account that was taken over cannot
 * give away the largest sums.
 */
export function isOverLimit(
  more: Money,
  refunds: readonly Given[],
): { limit: number; isOver: boolean } {
  const limit = REFUND_LIMIT[more.currency] ?? 0
  const byStaff = refunds.filter(({ reason }) => reason === 'staff' || reason === 'review')
  return { limit, isOver: givenBack(byStaff) + more.minor > limit }
}
