import type { RefundRow } from '#db/tables/payments.ts'
import type { Context, Tx } from '#server/context.ts'
import type { GatewayRefund } from '#server/gateways/payment-gateways.ts'
import { notifyStaffIn, recordDifferenceIn } from '#server/payments/events/record-difference.ts'
import { lockPayment, type Payment, setState } from '#server/payments/store.ts'
import { isRefundOf, receivedAmount, refundedMinor } from './refund-rules.ts'
import {
  insertRefund,
  linkRefund,
  listRefundsOf,
  type PaidBy,
  setAmount,
  setReplaced,
} from './refund-store.ts'

/** Not sent by us yet, or failed: a refund made by hand at the gateway may take its place. */
function isUnpaid(row: RefundRow): boolean {
  if (row.gw_refund !== null) return false
  return row.state === 'due' || (row.state === 'failed' && row.dealt_at === null)
}

/** Our refund that a refund at the gateway is, or takes the place of. */
function findOwn(rows: readonly RefundRow[], money: GatewayRefund): RefundRow | undefined {
  const byName = rows.find((row) => isRefundOf(row, money))
  if (byName !== undefined || money.key !== null) return byName
  return rows.find((row) => isUnpaid(row) && row.amount_minor === money.amountMinor)
}

/** Records a refund made by hand at the gateway; false if our books already contain it. */
async function adopt(
  ctx: Context,
  tx: Tx,
  { payment, money }: { payment: Payment; money: GatewayRefund },
): Promise<boolean> {
  const own = findOwn(await listRefundsOf(tx.db, payment.no), money)
  if (own !== undefined) {
    if (isUnpaid(own)) await linkRefund(tx.db, own.id, { gwRefund: money.id, now: ctx.now() })
    return false
  }
  await insertRefund(tx.db, {
    id: ctx.newId('rfd'),
    payment_no: payment.no,
    key: `gateway:${money.id}`,
    reason: 'gateway',
    amount_minor: money.amountMinor,
    currency: money.currency,
    gw_refund: money.id,
    state: 'done',
    now: ctx.now(),
  })
  if (payment.state !== 'paid') return true
  const { gateway } = payment
  await recordDifferenceIn(ctx, tx, {
    kind: 'refund_unknown',
    gateway,
    object: money.id,
    payment,
    money,
  })
  return true
}

/** Reduces a full refund that is still due to what other refunds have left. */
async function reduceDueRefund(ctx: Context, tx: Tx, payment: Payment): Promise<void> {
  if (payment.state !== 'refund_due') return
  const rows = await listRefundsOf(tx.db, payment.no)
  const due = rows.find((row) => isUnpaid(row) && row.state === 'due')
  if (due === undefined) return
  const left = receivedAmount(payment).minor - refundedMinor(rows.filter(({ id }) => id !== due.id))
  if (left >= due.amount_minor) return
  const now = ctx.now()
  if (left > 0) {
    await setAmount(tx.db, due.id, { minor: left, now })
    return
  }
  await setReplaced(tx.db, due.id, now)
  await setState(tx.db, payment.no, { state: 'refunded', now })
}

/**
 * Reads a payment's refunds at the gateway and updates our books to match, including refunds made by hand.
 * For a booked visit, those are reported to staff at once. Returns the gateway's list, or null if it no
 * longer has one. Throws `UpstreamError` if it cannot be read.
 */
export async function adoptRefunds(ctx: Context, paid: PaidBy): Promise<GatewayRefund[] | null> {
  const { gateway, gw_session: session, gw_payment: gwPayment, payment_no: no } = paid
  if (session === null) return []
  const returned = await ctx.gateways[gateway].listReturned({ session, gwPayment })
  if (returned === null) return null
  // Ours first: a refund without our key must not take the place of one of ours that comes later in the list.
  const moved = returned
    .filter(({ state }) => state !== 'failed')
    .toSorted((one, other) => Number(one.key === null) - Number(other.key === null))
  if (moved.length === 0) return returned
  await ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx.db, no, ctx.now())
    let isNews = false
    for (const money of moved) if (await adopt(ctx, tx, { payment, money })) isNews = true
    if (!isNews) return
    await reduceDueRefund(ctx, tx, payment)
    await notifyStaffIn(ctx, tx)
  })
  return returned
}
