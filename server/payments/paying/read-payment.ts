import type { PaymentStatus, ReturnInput, ReturnResponse, StatusInput } from '#contract/payments.ts'
import { toIso } from '#contract/time.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { isLive, mayPoll, statusOf } from '#server/payments/rules.ts'
import {
  findBySession,
  getBookingId,
  getHoldOf,
  getPayer,
  type Payment,
} from '#server/payments/store.ts'
import { resumeCapture } from './capture.ts'
import { settle } from './settle.ts'

/** The payer's return from the gateway is always worth a read, however recent the last one. */
async function settled(ctx: Context, payment: Payment): Promise<Payment> {
  try {
    return await settle(ctx, payment)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, payment: payment.id }, 'a gateway could not be asked')
    return payment
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
  const payment = await (isOwn ? settled(ctx, found) : recheck(ctx, found))
  const status = returnStatus(payment)
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
    hold: await holdOf(ctx, payment),
  }
}

/** Reads the gateway, unless it was read recently or is unreachable. */
async function recheck(ctx: Context, payment: Payment): Promise<Payment> {
  if (!isLive(payment.state) || !mayPoll(payment, ctx.now())) return payment
  try {
    // A capture already decided on is resumed: the process that sent it may be dead.
    return await (payment.state === 'capturing'
      ? resumeCapture(ctx, payment)
      : settle(ctx, payment))
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, payment: payment.id }, 'a gateway could not be asked')
    return payment
  }
}

/** The status of the viewer's payment; `not_found` for others'. For display only: the server decides. */
export async function readStatus(ctx: SignedIn, { orderId }: StatusInput): Promise<PaymentStatus> {
  const { db } = ctx.database
  const found =
    (await findBySession(db, 'paypal', orderId)) ?? (await findBySession(db, 'stripe', orderId))
  if (found === undefined || found.patient_no !== ctx.session.accountNo) {
    throw new AppError('not_found')
  }
  const payment = await recheck(ctx, found)
  const visitId = payment.state === 'paid' ? await getBookingId(db, payment.booking_no) : null
  return { ...statusOf(payment), visitId }
}
