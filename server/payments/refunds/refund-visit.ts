import type { Money } from '#contract/money.ts'
import type { MinorUnits } from '#db/columns.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import type { Context, Tx } from '#server/context.ts'
import { lockPayment } from '#server/payments/store.ts'
import { refundableOf, takenOf } from './refund-rules.ts'
import { dealWithFailed, insertRefund, listRefundsOf } from './refund-store.ts'

/** The payment of a visit, locked, with what of it has not gone back. */
export type VisitMoney = {
  paymentNo: number
  paymentId: string
  /** What came in, minor units. */
  paidMinor: MinorUnits
  left: Money
  refunds: RefundRow[]
}

/**
 * Locks the payment of a visit until the transaction ends, so that nobody else gives back of it
 * meanwhile. Payments are locked before bookings, by everybody.
 */
export async function lockVisitMoney(ctx: Context, tx: Tx, paymentNo: number): Promise<VisitMoney> {
  const payment = await lockPayment(tx.db, paymentNo, ctx.now())
  const refunds = await listRefundsOf(tx.db, paymentNo)
  const left = { minor: refundableOf(payment, refunds), currency: payment.currency }
  const paidMinor = takenOf(payment).minor
  return { paymentNo, paymentId: payment.id, paidMinor, left, refunds }
}

const notes = {
  not_held: 'The visit did not take place.',
  no_show: 'The patient did not come, and only a part is kept.',
} as const

type VisitRefund = {
  money: VisitMoney
  reason: keyof typeof notes
  /** What is kept of the money, minor units. */
  keptMinor: MinorUnits
  /** Public id of the account of whoever says so; null for a job. */
  by: string | null
}

/**
 * Owes back what is left of a payment, less what is kept, because of what became of its visit; once a
 * payment and reason.
 */
export async function refundVisit(ctx: Context, tx: Tx, refund: VisitRefund): Promise<void> {
  const { money, reason, keptMinor, by } = refund
  const { paymentNo, paymentId, left } = money
  const minor = Math.max(0, left.minor - keptMinor)
  if (minor === 0) return
  const id = ctx.newId('rfd')
  const now = ctx.now()
  await insertRefund(tx.db, {
    id,
    payment_no: paymentNo,
    reason,
    amount_minor: minor,
    currency: left.currency,
    actor_id: by,
    now,
  })
  // One that failed is done with: this one is in its place.
  await dealWithFailed(tx.db, paymentNo, { by: by ?? '', note: notes[reason], minor, now })
  await tx.audit.add({
    action: 'payment.refund_due',
    entity: paymentId,
    details: { refund: id, amount: minor, currency: left.currency },
  })
}
