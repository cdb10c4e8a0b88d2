import type { AuditAction } from '#contract/audit-actions.ts'
import { confirmBooking } from '#server/booking/visits/confirm-booking.ts'
import type { Context, Tx } from '#server/context.ts'
import type { GatewayState } from '#server/gateways/payment-gateways.ts'
import { insertRefund, listRefundsOf } from '#server/payments/refunds/refund-store.ts'
import { adoptRefunds } from '#server/payments/refunds/run-refunds.ts'
import { isDecided, judge, refundedMinor } from '#server/payments/rules.ts'
import {
  advance,
  findLive,
  getPayment,
  lockPayment,
  type Payment,
  setGatewayPayment,
} from '#server/payments/store.ts'

const SYSTEM = { kind: 'system', id: null } as const

type Settlement = { payment: Payment; gatewayState: GatewayState }
type Reported = Settlement & {
  /** A page waits for the outcome and shows it. */
  isShown: boolean
}

function audit(tx: Tx, action: AuditAction, payment: Payment): Promise<void> {
  return tx.audit.add({
    action,
    entity: payment.id,
    actor: SYSTEM,
    details: { amount: payment.amount_minor, currency: payment.currency, via: payment.gateway },
  })
}

/** Refunds what is left of money that books nothing. */
async function refundRest(
  ctx: Context,
  tx: Tx,
  { payment, gatewayState, reason }: Settlement & { reason: 'slot_lost' | 'refunded' },
): Promise<void> {
  const now = ctx.now()
  const known = refundedMinor(await listRefundsOf(tx.db, payment.no))
  const left = payment.amount_minor - Math.max(gatewayState.returnedMinor, known)
  await advance(tx.db, payment.no, {
    event: left > 0 ? 'refund' : 'skip_refund',
    gw_payment: gatewayState.gwPayment,
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
async function bookOrRefund(
  ctx: Context,
  tx: Tx,
  { payment, gatewayState }: Settlement,
): Promise<void> {
  const now = ctx.now()
  const live = await findLive(tx.db, payment.booking_no)
  const isAlone = live === undefined || live.no === payment.no
  const booking = { bookingNo: payment.booking_no, paymentNo: payment.no }
  if (isAlone && (await confirmBooking(ctx, tx, booking))) {
    await advance(tx.db, payment.no, { event: 'book', gw_payment: gatewayState.gwPayment, now })
    await audit(tx, 'payment.paid', payment)
    return
  }
  await refundRest(ctx, tx, { payment, gatewayState, reason: 'slot_lost' })
}

async function quarantine(
  ctx: Context,
  tx: Tx,
  { payment, gatewayState }: Settlement,
): Promise<void> {
  await advance(tx.db, payment.no, {
    event: 'question',
    gw_payment: gatewayState.gwPayment,
    reason: 'mismatch',
    taken_minor: gatewayState.amountMinor,
    taken_currency: gatewayState.currency.toUpperCase(),
    now: ctx.now(),
  })
  await audit(tx, 'payment.mismatch', payment)
  await tx.outbox.add('payment.alert', { paymentId: payment.id, what: 'mismatch' })
}

async function applyVerdict(ctx: Context, tx: Tx, settlement: Reported): Promise<void> {
  const { payment, gatewayState, isShown } = settlement
  const now = ctx.now()
  switch (judge(payment, gatewayState)) {
    case 'nothing': {
      const isOurs = gatewayState.state === 'pending' && gatewayState.paymentId === payment.id
      if (isOurs && gatewayState.gwPayment !== null && !isDecided(payment.state)) {
        await setGatewayPayment(tx.db, payment.no, gatewayState.gwPayment)
      }
      return
    }
    case 'returned':
      await refundRest(ctx, tx, { ...settlement, reason: 'refunded' })
      return
    case 'paid':
      await bookOrRefund(ctx, tx, settlement)
      return
    case 'mismatch':
      await quarantine(ctx, tx, settlement)
      return
    case 'declined':
      await advance(tx.db, payment.no, { event: 'decline', reason: 'declined', now })
      await audit(tx, 'payment.declined', payment)
      // Until then the page said that the payment would go through, and that an email would follow.
      if (!isShown) await tx.outbox.add('payment.not_taken', { paymentId: payment.id })
      return
    case 'over': {
      const event = payment.gateway === 'stripe' ? 'expire' : 'abandon'
      await advance(tx.db, payment.no, { event, reason: 'expired', now })
      await audit(tx, 'payment.expired', payment)
      // The page told the payer that the payment would go through.
      if (payment.state === 'capturing') {
        await tx.outbox.add('payment.not_taken', { paymentId: payment.id })
      }
    }
  }
}

/**
 * Records the refunds made by hand at the gateway. Must run before the rest is queued for refund: a refund by hand of
 * the same amount would be mistaken for ours.
 */
async function recordReturned(
  ctx: Context,
  paymentNo: number,
  { gwPayment }: GatewayState,
): Promise<void> {
  const payment = await getPayment(ctx.database.db, paymentNo)
  await adoptRefunds(ctx, {
    ...payment,
    payment_no: payment.no,
    gw_payment: payment.gw_payment ?? gwPayment,
  })
}

type Applied = { paymentNo: number; gatewayState: GatewayState; isShown: boolean }

async function apply(ctx: Context, { paymentNo, ...reported }: Applied): Promise<Payment> {
  const { gatewayState } = reported
  if (gatewayState.returnedMinor > 0) await recordReturned(ctx, paymentNo, gatewayState)
  return ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx.db, paymentNo, ctx.now())
    await applyVerdict(ctx, tx, { payment, ...reported })
    return getPayment(tx.db, paymentNo)
  })
}

/**
 * Updates a payment to the gateway's state. Final states are never left, so the order and number of calls do
 * not matter. Returns the payment afterwards.
 */
export function applyGatewayState(
  ctx: Context,
  paymentNo: number,
  gatewayState: GatewayState,
): Promise<Payment> {
  return apply(ctx, { paymentNo, gatewayState, isShown: false })
}

/** As `applyGatewayState`, where the page is told the outcome at once: a payer who was declined gets no email. */
export function applyForPage(
  ctx: Context,
  paymentNo: number,
  gatewayState: GatewayState,
): Promise<Payment> {
  return apply(ctx, { paymentNo, gatewayState, isShown: true })
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
  const gatewayState = await ctx.gateways[payment.gateway].read(names)
  return applyGatewayState(ctx, payment.no, gatewayState)
}
