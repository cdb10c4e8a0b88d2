import type { Money } from '#contract/money.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import type { Context, Tx } from '#server/context.ts'
import { lockPayment } from '#server/payments/store.ts'
import { refundableOf } from './refund-rules.ts'
import { dealWithFailed, insertRefund, listRefundsOf } from './refund-store.ts'

/** The payment of a visit, locked, with what of it has not gone back. */
export type VisitMoney = { paymentNo: number; paymentId: string; left: Money; refunds: RefundRow[] }

/**
 * Locks the payment of a visit until the transaction ends, so that nobody else gives back of it
 * meanwhile. Payments are locked before bookings, by everybody.
 */
export async function lockVisitMoney(ctx: Context, tx: Tx, paymentNo: number): Promise<VisitMoney> {
  const payment = await lockPayment(tx.db, paymentNo, ctx.now())
  const refunds = await listRefundsOf(tx.db, paymentNo)
  const left = { minor: refundableOf(payment, refunds), currency: payment.currency }
  return { paymentNo, paymentId: payment.id, left, refunds }
}

/** Owes all that is left of a payment back because its visit did not take place; once a payment. */
export async function refundVisit(
  ctx: Context,
  tx: Tx,
  { money, by }: { money: VisitMoney; by: string },
): Promise<void> {
  const { paymentNo, paymentId, left } = money
  if (left.minor === 0) return
  const id = ctx.newId('rfd')
  const now = ctx.now()
  await insertRefund(tx.db, {
    id,
    payment_no: paymentNo,
    reason: 'not_held',
    amount_minor: left.minor,
    currency: left.currency,
    actor_id: by,
    now,
  })
  // One that failed is done with: this one is in its place.
  const note = 'The visit did not take place.'
  await dealWithFailed(tx.db, paymentNo, { by, note, minor: left.minor, now })
  await tx.audit.add({
    action: 'payment.refund_due',
    entity: paymentId,
    details: { refund: id, amount: left.minor, currency: left.currency },
  })
}
