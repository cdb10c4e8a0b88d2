import type { Context } from '#server/context.ts'
import type { PaymentOrder } from '#server/gateways/payment-gateways.ts'
import { getBookingId, getPayer, getPayment, type Payment, setOpened } from './store.ts'

async function orderOf(ctx: Context, payment: Payment): Promise<PaymentOrder> {
  const { db } = ctx.database
  const payer = await getPayer(db, payment.patient_no)
  return {
    paymentId: payment.id,
    bookingId: await getBookingId(db, payment.booking_no),
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    email: payer.email,
    expiresAt: payment.expires_at,
  }
}

async function openAt(ctx: Context, payment: Payment) {
  const order = await orderOf(ctx, payment)
  if (payment.gateway === 'stripe') return ctx.gateways.stripe.open(order)
  return { ...(await ctx.gateways.paypal.open(order)), clientSecret: null }
}

/**
 * Makes the session or order of a payment that is written down already. Repeating it gives the same
 * one, because everything sent was stored and the key is the payment's. No transaction is open.
 */
export async function openPayment(ctx: Context, payment: Payment): Promise<Payment> {
  if (payment.state !== 'creating') return payment
  const { session, clientSecret } = await openAt(ctx, payment)
  await setOpened(ctx.database.db, payment.no, { session, clientSecret, now: ctx.now() })
  return getPayment(ctx.database.db, payment.no)
}
