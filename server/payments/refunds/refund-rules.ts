import { REFUND_LIMIT } from '#contract/payments-staff.ts'
import type { PaymentRow, RefundRow } from '#db/tables/payments.ts'
import type { GatewayRefund } from '#server/gateways/payment-gateways.ts'

type Money = { minor: number; currency: string }
type PaymentAmounts = Pick<
  PaymentRow,
  'amount_minor' | 'currency' | 'taken_minor' | 'taken_currency'
>
type RefundAmounts = Pick<RefundRow, 'amount_minor' | 'state' | 'reason'>

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
 * payment, so that many small refunds cannot get around it. It is above nine of ten visit fees: everyday
 * refunds need no second person, while a compromised account cannot refund the largest sums.
 */
export function isOverLimit(
  more: Money,
  refunds: readonly RefundAmounts[],
): { limit: number; isOver: boolean } {
  const limit = REFUND_LIMIT[more.currency] ?? 0
  const byStaff = refunds.filter(({ reason }) => reason === 'staff' || reason === 'review')
  return { limit, isOver: more.minor > 0 && refundedMinor(byStaff) + more.minor > limit }
}
