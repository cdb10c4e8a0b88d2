import type { CaptureAnswer, CaptureInput } from '#contract/payments.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { applyTruth } from './settle.ts'
import { findBySession, getPayment, type Payment, setCapturing } from './store.ts'

/**
 * Asks the wallet for the money of a payment whose capture was decided. The same key asks twice for
 * one and the same thing. An order nobody approved ends the try: another one can be made.
 */
export async function captureOrder(ctx: Context, payment: Payment): Promise<Payment> {
  if (payment.gw_session === null) return payment
  const truth = await ctx.gateways.paypal.capture(payment.gw_session, payment.id)
  const isRefused = truth.state === 'open' || truth.state === 'approved'
  return applyTruth(ctx, payment.no, isRefused ? { ...truth, state: 'declined' } : truth)
}

function answerOf({ state }: Payment): CaptureAnswer {
  return { success: state === 'capturing' || state === 'paid' }
}

/** The page showed another price than ours: nothing is taken for it. */
async function refusePrice(ctx: SignedIn, payment: Payment): Promise<CaptureAnswer> {
  await ctx.record({ action: 'payment.price_differs', outcome: 'denied', entity: payment.id })
  return { success: false }
}

/**
 * The wallet's owner approved the order: our server captures it, once, and only while the time is
 * kept. `success` when the money is in or on its way; what became of it is read from the status.
 */
export async function capture(ctx: SignedIn, input: CaptureInput): Promise<CaptureAnswer> {
  const { db } = ctx.database
  const payment = await findBySession(db, 'paypal', input.orderId)
  if (payment === undefined || payment.patient_no !== ctx.session.accountNo) {
    throw new AppError('not_found')
  }
  if (input.selectedAmount !== undefined && input.selectedAmount !== payment.amount_minor) {
    return refusePrice(ctx, payment)
  }
  if (!(await setCapturing(db, payment.no, ctx.now()))) {
    return answerOf(await getPayment(db, payment.no))
  }
  try {
    return answerOf(await captureOrder(ctx, { ...payment, state: 'capturing' }))
  } catch (error) {
    // It was sent, perhaps: the reconciler asks again, and the page waits for the status.
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, payment: payment.id }, 'a capture was not answered')
    return { success: true }
  }
}
