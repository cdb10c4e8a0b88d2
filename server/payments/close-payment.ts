import type { Context } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { resumeCapture } from './capture.ts'
import { CLOSED, isLive, isOverByTime } from './rules.ts'
import { applyTruth } from './settle.ts'
import { getPayment, type Payment, setAbandoned } from './store.ts'

async function closeSession(ctx: Context, payment: Payment): Promise<Payment> {
  const { gw_session: session } = payment
  if (session === null || !isLive(payment.state)) return payment
  try {
    return await applyTruth(ctx, payment.no, await ctx.gateways.stripe.close(session))
  } catch (error) {
    // A gateway that cannot be asked still closes a session at the time it was told.
    if (!(error instanceof UpstreamError) || !isOverByTime(payment, ctx.now())) throw error
    return applyTruth(ctx, payment.no, CLOSED)
  }
}

/**
 * Makes a payment impossible, or finds that it was made: afterwards it is over, paid, or (when money
 * is still moving) capturing. Throws `UpstreamError` while the gateway that could take the money
 * cannot be asked: then the time stays claimed.
 */
export async function closePayment(ctx: Context, payment: Payment): Promise<Payment> {
  const { db } = ctx.database
  if (await setAbandoned(db, payment.no, ctx.now())) return getPayment(db, payment.no)
  const current = await getPayment(db, payment.no)
  if (current.gateway === 'stripe') return closeSession(ctx, current)
  return current.state === 'capturing' ? resumeCapture(ctx, current) : current
}
