import type { CaptureAnswer, CaptureInput } from '#contract/payments.ts'
import { whatDiffers } from '#server/booking/what-differs.ts'
import type { Context, SignedIn } from '#server/context.ts'
import type { GatewayTruth } from '#server/gateways/payment-gateways.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { isOverByTime } from './rules.ts'
import { applyTruth } from './settle.ts'
import { findBySession, getBookingId, getPayment, type Payment, setCapturing } from './store.ts'

type Asked = { payment: Payment; session: string }

const REFUSED: ReadonlySet<GatewayTruth['state']> = new Set(['open', 'approved'] as const)

/**
 * What became of a capture that was not answered: a gateway may repeat a failure it once gave under
 * the key, though the money moved. An order that is still not captured long after its time is given up.
 */
async function readUnanswered(ctx: Context, asked: Asked, error: unknown): Promise<GatewayTruth> {
  const truth = await ctx.gateways.paypal.read(asked.session)
  if (!REFUSED.has(truth.state)) return truth
  if (isOverByTime(asked.payment, ctx.now())) return { ...truth, state: 'declined' }
  throw error
}

async function askForMoney(ctx: Context, asked: Asked): Promise<GatewayTruth> {
  try {
    const truth = await ctx.gateways.paypal.capture(asked.session, asked.payment.id)
    // An order nobody approved ends the try: another one can be made.
    return REFUSED.has(truth.state) ? { ...truth, state: 'declined' } : truth
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

/**
 * Takes up a capture that was decided earlier, by this process or one that is gone. The order is read
 * first: under its key the gateway repeats its first answer, also when the truth has moved on.
 */
export async function resumeCapture(ctx: Context, payment: Payment): Promise<Payment> {
  const { gw_session: session } = payment
  if (session === null) return payment
  const truth = await ctx.gateways.paypal.read(session)
  return REFUSED.has(truth.state) ? captureOrder(ctx, payment) : applyTruth(ctx, payment.no, truth)
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
