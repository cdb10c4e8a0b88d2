import type { Money } from '#contract/money.ts'
import type { Db } from '#db/engine.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import type { Context, Tx } from '#server/context.ts'
import { getPayment, listPayments, lockPayment, type Payment } from '#server/payments/store.ts'
import { receivedAmount, refundableOf } from './refund-rules.ts'
import { insertRefund, listRefundsOf, resolveFailed } from './refund-store.ts'
import { listRefundsOfAll } from './upcoming-store.ts'

/** The money of a booked visit: what was received, and what is left after refunds. */
export type VisitMoney = {
  payment: Pick<Payment, 'no' | 'id' | 'currency'>
  paid: Money
  left: Money
  refunds: RefundRow[]
}

function moneyOf(payment: Payment, refunds: RefundRow[]): VisitMoney {
  // Money of another currency is never accepted for a visit.
  const { currency } = payment
  return {
    payment,
    paid: { minor: receivedAmount(payment).minor, currency },
    left: { minor: refundableOf(payment, refunds), currency },
    refunds,
  }
}

/** The money of a visit as it is now. */
export async function readMoney(db: Db, paymentNo: number): Promise<VisitMoney> {
  return moneyOf(await getPayment(db, paymentNo), await listRefundsOf(db, paymentNo))
}

/** The money of several visits, by the numbers of their payments; two queries in all. */
export async function readMoneyOf(
  db: Db,
  paymentNos: readonly number[],
): Promise<Map<number, VisitMoney>> {
  if (paymentNos.length === 0) return new Map()
  const payments = await listPayments(db, paymentNos)
  const refunds = Map.groupBy(await listRefundsOfAll(db, paymentNos), (row) => row.payment_no)
  return new Map(payments.map((one) => [one.no, moneyOf(one, refunds.get(one.no) ?? [])]))
}

/**
 * The money of a visit, locked against other refunds until the transaction ends. Lock order: payment, then
 * booking and provider.
 */
export async function lockMoney(ctx: Context, tx: Tx, paymentNo: number): Promise<VisitMoney> {
  const payment = await lockPayment(tx.db, paymentNo, ctx.now())
  return moneyOf(payment, await listRefundsOf(tx.db, paymentNo))
}

/** Reason for the refund, stored with a failed refund that this one replaces. */
const notes = {
  cancelled: 'The visit was cancelled.',
  not_held: 'The visit did not take place.',
  no_show: 'The patient didn’t come, and only part of the payment is kept.',
  refilled: 'Someone else took the time that was cancelled late.',
} as const

type VisitRefund = {
  payment: Pick<Payment, 'no' | 'id'>
  reason: keyof typeof notes
  /** Amount to refund; 0 queues nothing. */
  amount: Money
  /** Public id of the account that decided; null for the system. */
  actorId: string | null
}

/**
 * Queues the refund of what a visit does not cost, once per payment and reason, in the transaction that
 * decides it; a job sends it. Failed refunds that it covers are resolved: it takes their place.
 */
export async function enqueueVisitRefund(
  ctx: Context,
  tx: Tx,
  visitRefund: VisitRefund,
): Promise<void> {
  const { payment, reason, amount, actorId } = visitRefund
  if (amount.minor === 0) return
  const id = ctx.newId('rfd')
  const now = ctx.now()
  await insertRefund(tx.db, {
    id,
    payment_no: payment.no,
    reason,
    amount_minor: amount.minor,
    currency: amount.currency,
    actor_id: actorId,
    now,
  })
  const note = notes[reason]
  await resolveFailed(tx.db, payment.no, { by: actorId ?? '', note, minor: amount.minor, now })
  await tx.audit.add({
    action: 'payment.refund_due',
    entity: payment.id,
    details: { refund: id, amount: amount.minor, currency: amount.currency },
  })
}
