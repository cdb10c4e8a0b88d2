import { toIso } from '#contract/base/time.ts'
import type {
  CaptureInput,
  CaptureResponse,
  PaymentStatus,
  ReturnInput,
  ReturnResponse,
  StatusInput,
} from '#contract/payments.ts'
import { listDifferences } from '#server/booking/hold/find-offer.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import type { Context, SignedIn } from '#server/context.ts'
import type { GatewayState } from '#server/gateways/payment-gateways.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { recordDifference } from '#server/payments/reconciliation/differences.ts'
import { CLOSED, isLive, isTooLateToCapture, mayPoll, statusOf } from '#server/payments/rules.ts'
import {
  findBySession,
  getBookingId,
  getHoldOf,
  getPayer,
  getPayment,
  type Payment,
  setCapturing,
} from '#server/payments/store.ts'
import { applyForPage, applyGatewayState, settle } from './settle.ts'

type WalletOrder = { payment: Payment; session: string }

const NOT_CAPTURED: ReadonlySet<GatewayState['state']> = new Set(['open', 'approved'] as const)

/**
 * Reads the outcome of a capture that failed: a gateway may replay an earlier failure under the idempotency
 * key although the money moved.
 */
async function readAfterFailure(
  ctx: Context,
  order: WalletOrder,
  error: unknown,
): Promise<GatewayState> {
  const { payment, session } = order
  const gatewayState = await ctx.gateways.paypal.read({ session, gwPayment: payment.gw_payment })
  if (NOT_CAPTURED.has(gatewayState.state)) throw error
  return gatewayState
}

async function captureAtGateway(ctx: Context, asked: WalletOrder): Promise<GatewayState> {
  try {
    const gatewayState = await ctx.gateways.paypal.capture(asked.session, asked.payment.id)
    // An order that was never approved ends this payment, so that another can be started.
    return NOT_CAPTURED.has(gatewayState.state)
      ? { ...gatewayState, state: 'declined' }
      : gatewayState
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return readAfterFailure(ctx, asked, error)
  }
}

/**
 * Captures the order of a payment in state `capturing`. Idempotent by its key. Throws `UpstreamError` while
 * the outcome is unknown.
 */
async function captureOrder(
  ctx: Context,
  payment: Payment,
  apply = applyGatewayState,
): Promise<Payment> {
  const { gw_session: session } = payment
  if (session === null) return payment
  return apply(ctx, payment.no, await captureAtGateway(ctx, { payment, session }))
}

/** Gives up on a capture: our server does not retry it. Money that arrives anyway is refunded. */
async function giveUp(
  ctx: Context,
  payment: Payment,
  gatewayState: GatewayState,
): Promise<Payment> {
  const closed = await applyGatewayState(ctx, payment.no, CLOSED)
  if (gatewayState.state === 'missing') {
    await recordDifference(ctx, {
      kind: 'no_answer',
      gateway: payment.gateway,
      object: payment.gw_session ?? payment.id,
      payment,
      money: { amountMinor: payment.amount_minor, currency: payment.currency },
    })
  }
  return closed
}

/**
 * Resumes a capture that was decided earlier, by this or a dead process. The order is read first: under the
 * idempotency key the gateway replays its first response, even if the state has changed. The deadline is
 * checked before any money is taken: a visit that can no longer be paid for is not charged.
 */
export async function resumeCapture(ctx: Context, payment: Payment): Promise<Payment> {
  const { gw_session: session, gw_payment: gwPayment } = payment
  if (session === null) return payment
  const { pay_by: payBy } = await getHoldOf(ctx.database.db, payment.booking_no)
  const isTooLate = isTooLateToCapture(payment, payBy, ctx.now())
  const gatewayState = await ctx.gateways.paypal.read({ session, gwPayment })
  if (gatewayState.state === 'unclear') return resolveUnclear(ctx, { payment, session }, isTooLate)
  if (!NOT_CAPTURED.has(gatewayState.state) && gatewayState.state !== 'missing') {
    return applyGatewayState(ctx, payment.no, gatewayState)
  }
  return isTooLate ? giveUp(ctx, payment, gatewayState) : captureOrder(ctx, payment)
}

/**
 * Settles a payment again. A capture already decided on is resumed with its idempotency key, as the process that
 * sent it may be dead; everything else is only read. Throws `UpstreamError` if the gateway is unreachable.
 */
export function settleOrResume(ctx: Context, payment: Payment): Promise<Payment> {
  return payment.state === 'capturing' ? resumeCapture(ctx, payment) : settle(ctx, payment)
}

/**
 * Resolves an order that was captured without details: PayPal replays the result under the capture's key. If
 * the result stays unclear until the deadline, staff take over and the time is freed.
 */
async function resolveUnclear(
  ctx: Context,
  order: WalletOrder,
  isTooLate: boolean,
): Promise<Payment> {
  const gatewayState = await captureAtGateway(ctx, order)
  const isGivenUp = gatewayState.state === 'unclear' && isTooLate
  // Without a payment id it counts as a mismatch, which staff review.
  const resolved: GatewayState = isGivenUp
    ? { ...gatewayState, state: 'paid', paymentId: null }
    : gatewayState
  return applyGatewayState(ctx, order.payment.no, resolved)
}

function answerOf({ state }: Payment): CaptureResponse {
  return { success: state === 'capturing' || state === 'paid' }
}

/** Values shown on the page that differ from our records; if there are any, nothing is captured. */
async function findDifferences(
  ctx: SignedIn,
  payment: Payment,
  { selectedAmount: amount, believed }: CaptureInput,
): Promise<string[]> {
  const price = amount !== undefined && amount !== payment.amount_minor ? ['price'] : []
  if (believed === undefined) return price
  const bookingId = await getBookingId(ctx.database.db, payment.booking_no)
  return [...price, ...(await listDifferences(ctx, bookingId, believed))]
}

async function recordRefusal(
  ctx: SignedIn,
  payment: Payment,
  found: string[],
): Promise<CaptureResponse> {
  const details = { differs: found.join(' ') }
  const entity = payment.id
  await ctx.record({ action: 'payment.price_differs', outcome: 'denied', entity, details })
  return { success: false }
}

/**
 * Captures an approved wallet order, once, and only while the time is held. `success` if the money was taken
 * or is being taken; the page reads the outcome from the status.
 */
export async function capture(ctx: SignedIn, input: CaptureInput): Promise<CaptureResponse> {
  const { db } = ctx.database
  const payment = await findBySession(db, 'paypal', input.orderId)
  if (payment === undefined || payment.patient_no !== ctx.session.accountNo) {
    throw new AppError('not_found')
  }
  const differences = await findDifferences(ctx, payment, input)
  if (differences.includes('region')) throw new AppError('not_found')
  if (differences.length > 0) return recordRefusal(ctx, payment, differences)
  if (!(await setCapturing(db, payment.no, ctx.now()))) {
    return answerOf(await getPayment(db, payment.no))
  }
  try {
    return answerOf(await captureOrder(ctx, { ...payment, state: 'capturing' }, applyForPage))
  } catch (error) {
    // The capture may have been sent: the reconciler retries it, and the page polls the status.
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, payment: payment.id }, 'a capture got no response')
    return { success: true }
  }
}

/** The payment afterwards; null if its gateway is unreachable. */
async function orNull(
  ctx: Context,
  payment: Payment,
  read: typeof settleOrResume,
): Promise<Payment | null> {
  try {
    return await read(ctx, payment)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, payment: payment.id }, 'a gateway could not be read')
    return null
  }
}

function returnStatus(payment: Payment): ReturnResponse['status'] {
  if (payment.state === 'paid') return 'complete'
  if (payment.state === 'capturing') return 'processing'
  return isLive(payment.state) ? 'open' : 'failed'
}

/** The hold to return to, if it is still held and its card session still open. */
async function holdOf(ctx: Context, payment: Payment): Promise<ReturnResponse['hold']> {
  if (payment.state !== 'open' || payment.client_secret === null) return null
  const hold = await getHoldOf(ctx.database.db, payment.booking_no)
  if (hold.state !== 'held' || hold.hold_until <= ctx.now()) return null
  return {
    id: hold.id,
    clientSecret: payment.client_secret,
    holdUntil: toIso(hold.hold_until),
  }
}

/** Data for the page a gateway redirects to. Anyone but the payer only learns the status. */
export async function readReturn(ctx: Context, input: ReturnInput): Promise<ReturnResponse> {
  const { db } = ctx.database
  const found = await findBySession(db, 'stripe', input.session_id)
  if (found === undefined) throw new AppError('not_found')
  const isOwn = ctx.session?.accountNo === found.patient_no
  // The payer's return from the gateway is always worth a read, however recent the last one.
  const read = await (isOwn ? orNull(ctx, found, settle) : recheck(ctx, found))
  const payment = read ?? found
  const known = returnStatus(payment)
  // Who comes from the gateway has probably paid: nothing says otherwise while it cannot be read.
  const status = read === null && known === 'open' ? 'processing' : known
  const { reason } = statusOf(payment)
  if (!isOwn) {
    return { status, reason: null, customer_email: null, visit: null, hold: null }
  }
  const payer = await getPayer(db, payment.patient_no)
  return {
    status,
    reason,
    customer_email: payer.email,
    visit:
      status === 'complete'
        ? await readVisitIn(db, await getBookingId(db, payment.booking_no), ctx.now())
        : null,
    hold: status === 'open' ? await holdOf(ctx, payment) : null,
  }
}

/** Reads the gateway, unless it was read recently; null if it is unreachable. */
async function recheck(ctx: Context, payment: Payment): Promise<Payment | null> {
  if (!isLive(payment.state) || !mayPoll(payment, ctx.now())) return payment
  return orNull(ctx, payment, settleOrResume)
}

/** The status of the viewer's payment; `not_found` for others'. For display only: the server decides. */
export async function readStatus(ctx: SignedIn, { orderId }: StatusInput): Promise<PaymentStatus> {
  const { db } = ctx.database
  const found =
    (await findBySession(db, 'paypal', orderId)) ?? (await findBySession(db, 'stripe', orderId))
  if (found === undefined || found.patient_no !== ctx.session.accountNo) {
    throw new AppError('not_found')
  }
  const payment = (await recheck(ctx, found)) ?? found
  const visitId = payment.state === 'paid' ? await getBookingId(db, payment.booking_no) : null
  return { ...statusOf(payment), visitId }
}
