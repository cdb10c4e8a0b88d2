import type { Context } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { resumeCapture } from './capture.ts'
import { openPayment } from './open-payment.ts'
import { isOverByTime } from './rules.ts'
import { applyTruth } from './settle.ts'
import { getPayment, type Payment, setAbandoned } from './store.ts'

const CLOSED = {
  state: 'closed',
  paymentId: null,
  amountMinor: 0,
  currency: '',
  gwPayment: null,
  email: null,
} as const

/** A session whose making was never answered is made again under its key, so that it can be closed. */
async function closeCard(ctx: Context, payment: Payment): Promise<Payment> {
  try {
    const opened = await openPayment(ctx, payment)
    if (opened.gw_session === null) return opened
    return await applyTruth(ctx, payment.no, await ctx.gateways.stripe.close(opened.gw_session))
  } catch (error) {
    // A gateway that cannot be asked still closes a session at the time it was told.
    if (!(error instanceof UpstreamError) || !isOverByTime(payment, ctx.now())) throw error
    return applyTruth(ctx, payment.no, CLOSED)
  }
}

async function closeWallet(ctx: Context, payment: Payment): Promise<Payment> {
  // An order is money only when our server captures it: saying so in our row is the whole closing.
  if (await setAbandoned(ctx.database.db, payment.no, ctx.now())) {
    return getPayment(ctx.database.db, payment.no)
  }
  const current = await getPayment(ctx.database.db, payment.no)
  return current.state === 'capturing' ? resumeCapture(ctx, current) : current
}

/**
 * Makes a payment impossible, or finds that it was made: afterwards it is over, paid, or (when money
 * is still moving) capturing. Throws `UpstreamError` while the gateway that could take the money
 * cannot be asked: then the time stays claimed.
 */
export async function closePayment(ctx: Context, payment: Payment): Promise<Payment> {
  return payment.gateway === 'stripe' ? closeCard(ctx, payment) : closeWallet(ctx, payment)
}
