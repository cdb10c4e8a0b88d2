import { REFUND_LIMIT } from '#contract/payments-staff.ts'
import type { PaymentRow, RefundRow } from '#db/tables/payments.ts'
import type { ReturnedMoney } from '#server/gateways/payment-gateways.ts'

type Money = { minor: number; currency: string }
type Taken = Pick<PaymentRow, 'amount_minor' | 'currency' | 'taken_minor' | 'taken_currency'>
type Given = Pick<RefundRow, 'amount_minor' | 'state' | 'reason'>

/** The amount received for a payment: the requested one, unless a different one was recorded. */
export function takenOf(payment: Taken): Money {
  return {
    minor: payment.taken_minor ?? payment.amount_minor,
    currency: payment.taken_currency ?? payment.currency,
  }
}

/** Whether a refund at a gateway is this one: by the gateway's id or, before there is one, by our key. */
export function isRefundOf(
  refund: Pick<RefundRow, 'gw_refund' | 'key'>,
  money: Pick<ReturnedMoney, 'id' | 'key'>,
): boolean {
  return refund.gw_refund === null ? refund.key === money.key : refund.gw_refund === money.id
}

const sumOf = (refunds: readonly Given[]) =>
  refunds.reduce((sum, { amount_minor: minor }) => sum + minor, 0)

/** Minor units refunded or being refunded; failed refunds are not counted. */
export function givenBack(refunds: readonly Given[]): number {
  return sumOf(refunds.filter(({ state }) => state !== 'failed'))
}

/** Minor units that staff may still refund. A payment without a booking is decided in review instead. */
export function refundableOf(
  payment: Taken & Pick<PaymentRow, 'state'>,
  refunds: readonly Given[],
): number {
  if (payment.state !== 'paid') return 0
  return Math.max(0, takenOf(payment).minor - givenBack(refunds))
}

/**
 * Whether another refund of this amount needs a superuser. The limit covers all that staff refund of one
 * payment, so that many small refunds cannot get around it. It is above nine of ten visit fees: everyday
 * refunds need no second person, while a compromised account cannot refund the largest sums.
 */
export function isOverLimit(
  more: Money,
  refunds: readonly Given[],
): { limit: number; isOver: boolean } {
  const limit = REFUND_LIMIT[more.currency] ?? 0
  const byStaff = refunds.filter(({ reason }) => reason === 'staff' || reason === 'review')
  return { limit, isOver: more.minor > 0 && givenBack(byStaff) + more.minor > limit }
}
