import type { CaptureAnswer, CaptureInput } from '#contract/payments.ts'
import { whatDiffers } from '#server/booking/hold/find-offer.ts'
import type { Context, SignedIn } from '#server/context.ts'
import type { GatewayTruth } from '#server/gateways/payment-gateways.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { layAside } from '#server/payments/events/lay-aside.ts'
import { CLOSED, isTooLateToCapture } from '#server/payments/rules.ts'
import {
  findBySession,
  getBookingId,
  getHoldOf,
  getPayment,
  type Payment,
  setCapturing,
} from '#server/payments/store.ts'
import { applyTruth } from './settle.ts'

type Asked = { payment: Payment; session: string }

const NOT_TAKEN: ReadonlySet<GatewayTruth['state']> = new Set(['open', 'approved'] as const)

/**
 * What became of a capture that was not answered: a gateway may repeat a failure it once gave under
 * the key, though the money moved.
 */
async function readUnanswered(ctx: Context, asked: Asked, error: unknown): Promise<GatewayTruth> {
  const { payment, session } = asked
  const truth = await ctx.gateways.paypal.read({ session, gwPayment: payment.gw_payment })
  if (NOT_TAKEN.has(truth.state)) throw error
  return truth
}

async function askForMoney(ctx: Context, asked: Asked): Promise<GatewayTruth> {
  try {
    const truth = await ctx.gateways.paypal.capture(asked.session, asked.payment.id)
    // An order nobody approved ends the try: another one can be made.
    return NOT_TAKEN.has(truth.state) ? { ...truth, state: 'declined' } : truth
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return readUnanswered(ctx, asked, error)
  }
}

/**
 * Asks the wallet for the money of a payment whose capture was decided. The same key asks twice for
 * one and the same thing. Throws `UpstreamError` while it is not known what became of it.
 */
async function captureOrder(ctx: Context, payment: Payment): Promise<Payment> {
  const { gw_session: session } = payment
  if (session === null) return payment
  return applyTruth(ctx, payment.no, await askForMoney(ctx, { payment, session }))
}

/** Gives a capture up: our server asks for this money no more. What comes all the same goes back. */
async function giveUp(ctx: Context, payment: Payment, truth: GatewayTruth): Promise<Payment> {
  const given = await applyTruth(ctx, payment.no, CLOSED)
  if (truth.state === 'missing') {
    await layAside(ctx, {
      kind: 'no_answer',
      gateway: payment.gateway,
      object: payment.gw_session ?? payment.id,
      payment,
      money: { amountMinor: payment.amount_minor, currency: payment.currency },
    })
  }
  return given
}

/**
 * Takes up a capture that was decided earlier, by this process or one that is gone. The order is read
 * first: under its key the gateway repeats its first answer, also when the truth has moved on. The
 * clock comes before any money: for a visit that can no longer be paid for, nothing is taken.
 */
export async function resumeCapture(ctx: Context, payment: Payment): Promise<Payment> {
  const { gw_session: session, gw_payment: gwPayment } = payment
  if (session === null) return payment
  const { pay_by: payBy } = await getHoldOf(ctx.database.db, payment.booking_no)
  const isTooLate = isTooLateToCapture(payment, payBy, ctx.now())
  const truth = await ctx.gateways.paypal.read({ session, gwPayment })
  if (truth.state === 'unclear') return clearUp(ctx, { payment, session }, isTooLate)
  if (!NOT_TAKEN.has(truth.state) && truth.state !== 'missing') {
    return applyTruth(ctx, payment.no, truth)
  }
  return isTooLate ? giveUp(ctx, payment, truth) : captureOrder(ctx, payment)
}

/**
 * An order that was captured and does not say how: under the capture's own key PayPal repeats what it
 * did. Where it never says, staff have it, and the time is free again.
 */
async function clearUp(ctx: Context, asked: Asked, isTooLate: boolean): Promise<Payment> {
  const truth = await askForMoney(ctx, asked)
  const isGivenUp = truth.state === 'unclear' && isTooLate
  // Money of nobody's payment: it differs from what we asked for.
  const told: GatewayTruth = isGivenUp ? { ...truth, state: 'paid', paymentId: null } : truth
  return applyTruth(ctx, asked.payment.no, told)
}

function answerOf({ state }: Payment): CaptureAnswer {
  return { success: state === 'capturing' || state === 'paid' }
}

/** What the page showed, where it is not what our books say: for that nothing is taken. */
async function findDifferences(
  ctx: SignedIn,
  payment: Payment,
  { selectedAmount: amount, believed }: CaptureInput,
): Promise<string[]> {
  const price = amount !== undefined && amount !== payment.amount_minor ? ['price'] : []
  if (believed === undefined) return price
  const bookingId = await getBookingId(ctx.database.db, payment.booking_no)
  return [...price, ...(await whatDiffers(ctx, bookingId, believed))]
}

async function refuse(ctx: SignedIn, payment: Payment, found: string[]): Promise<CaptureAnswer> {
  const details = { differs: found.join(' ') }
  const entity = payment.id
  await ctx.record({ action: 'payment.price_differs', outcome: 'denied', entity, details })
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
  const differences = await findDifferences(ctx, payment, input)
  if (differences.includes('region')) throw new AppError('not_found')
  if (differences.length > 0) return refuse(ctx, payment, differences)
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
