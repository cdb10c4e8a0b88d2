import { confirmBooking } from '#server/booking/visits/confirm-booking.ts'
import type { Context, Tx } from '#server/context.ts'
import type { GatewayTruth } from '#server/gateways/payment-gateways.ts'
import { adoptRefunds } from '#server/payments/refunds/adopt-refunds.ts'
import { insertRefund } from '#server/payments/refunds/refund-store.ts'
import { isDecided, judge } from '#server/payments/rules.ts'
import {
  findLive,
  getPayment,
  lockPayment,
  type Payment,
  setGatewayPayment,
  setState,
} from '#server/payments/store.ts'

const SYSTEM = { kind: 'system', id: null } as const

type Settling = { payment: Payment; truth: GatewayTruth }

function audit(tx: Tx, action: `payment.${string}`, payment: Payment): Promise<void> {
  return tx.audit.add({
    action,
    entity: payment.id,
    actor: SYSTEM,
    details: { amount: payment.amount_minor, currency: payment.currency, via: payment.gateway },
  })
}

/** Refunds what is left of money that books nothing. */
async function giveBack(
  ctx: Context,
  tx: Tx,
  { payment, truth, reason }: Settling & { reason: 'slot_lost' | 'refunded' },
): Promise<void> {
  const now = ctx.now()
  const left = payment.amount_minor - truth.returnedMinor
  await setState(tx.db, payment.no, {
    state: left > 0 ? 'refund_due' : 'refunded',
    gw_payment: truth.gwPayment,
    reason,
    now,
  })
  if (left > 0) {
    await insertRefund(tx.db, {
      id: ctx.newId('rfd'),
      payment_no: payment.no,
      reason: 'slot_lost',
      amount_minor: left,
      now,
    })
  }
  await audit(tx, 'payment.refund_due', payment)
}

/** Confirms the booking or queues a refund, in one transaction. */
async function takeMoney(ctx: Context, tx: Tx, { payment, truth }: Settling): Promise<void> {
  const now = ctx.now()
  const live = await findLive(tx.db, payment.booking_no)
  const isAlone = live === undefined || live.no === payment.no
  const booking = { bookingNo: payment.booking_no, paymentNo: payment.no }
  if (isAlone && (await confirmBooking(ctx, tx, booking))) {
    await setState(tx.db, payment.no, { state: 'paid', gw_payment: truth.gwPayment, now })
    await audit(tx, 'payment.paid', payment)
    return
  }
  await giveBack(ctx, tx, { payment, truth, reason: 'slot_lost' })
}

async function quarantine(ctx: Context, tx: Tx, { payment, truth }: Settling): Promise<void> {
  await setState(tx.db, payment.no, {
    state: 'review',
    gw_payment: truth.gwPayment,
    reason: 'mismatch',
    taken_minor: truth.amountMinor,
    taken_currency: truth.currency.toUpperCase(),
    now: ctx.now(),
  })
  await audit(tx, 'payment.mismatch', payment)
  await tx.outbox.add('payment.alert', { paymentId: payment.id, what: 'mismatch' })
}

async function act(ctx: Context, tx: Tx, settling: Settling): Promise<void> {
  const { payment, truth } = settling
  const now = ctx.now()
  switch (judge(payment, truth)) {
    case 'nothing': {
      const isOurs = truth.state === 'pending' && truth.paymentId === payment.id
      if (isOurs && truth.gwPayment !== null && !isDecided(payment.state)) {
        await setGatewayPayment(tx.db, payment.no, truth.gwPayment)
      }
      return
    }
    case 'returned':
      await giveBack(ctx, tx, { ...settling, reason: 'refunded' })
      return
    case 'paid':
      await takeMoney(ctx, tx, settling)
      return
    case 'mismatch':
      await quarantine(ctx, tx, settling)
      return
    case 'declined':
      await setState(tx.db, payment.no, { state: 'failed', reason: 'declined', now })
      await audit(tx, 'payment.declined', payment)
      return
    case 'over': {
      const state = payment.gateway === 'stripe' ? 'expired' : 'abandoned'
      await setState(tx.db, payment.no, { state, reason: 'expired', now })
      await audit(tx, 'payment.expired', payment)
      // The page told the payer that the payment would go through.
      if (payment.state === 'capturing') {
        await tx.outbox.add('payment.not_taken', { paymentId: payment.id })
      }
    }
  }
}

/**
 * Updates a payment to the gateway's state. Final states are never left, so the order and number of calls do
 * not matter. Returns the payment afterwards.
 */
export async function applyTruth(
  ctx: Context,
  paymentNo: number,
  truth: GatewayTruth,
): Promise<Payment> {
  return ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx.db, paymentNo, ctx.now())
    await act(ctx, tx, { payment, truth })
    return getPayment(tx.db, paymentNo)
  })
}

/**
 * Reads the gateway and applies its state: used by the webhook, the return page, polling and the reconciler
 * alike. `gwPayment` is the charge named by an event, for a payment whose own is not known yet. Throws
 * `UpstreamError` if the gateway is unreachable.
 */
export async function settle(
  ctx: Context,
  payment: Payment,
  gwPayment: string | null = null,
): Promise<Payment> {
  if (payment.gw_session === null) return payment
  const names = { session: payment.gw_session, gwPayment: payment.gw_payment ?? gwPayment }
  const truth = await ctx.gateways[payment.gateway].read(names)
  const settled = await applyTruth(ctx, payment.no, truth)
  if (truth.returnedMinor > 0) await adoptRefunds(ctx, { ...settled, payment_no: settled.no })
  return settled
}
