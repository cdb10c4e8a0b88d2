import type { PaymentStatus, StatusInput } from '#contract/payments.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { resumeCapture } from './capture.ts'
import { isLive, mayLook, statusOf } from './rules.ts'
import { settle } from './settle.ts'
import { findBySession, getBookingId, type Payment } from './store.ts'

/** Looks at the gateway, unless somebody just did or it cannot be asked. */
async function lookAgain(ctx: SignedIn, payment: Payment): Promise<Payment> {
  if (!isLive(payment.state) || !mayLook(payment, ctx.now())) return payment
  try {
    // A capture that was decided is taken up again: whoever sent it may be gone.
    return await (payment.state === 'capturing'
      ? resumeCapture(ctx, payment)
      : settle(ctx, payment))
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, payment: payment.id }, 'a gateway could not be asked')
    return payment
  }
}

/** How a payment of the viewer's stands; others' are not there. Display only: the server decides. */
export async function readStatus(ctx: SignedIn, { orderId }: StatusInput): Promise<PaymentStatus> {
  const { db } = ctx.database
  const found =
    (await findBySession(db, 'paypal', orderId)) ?? (await findBySession(db, 'stripe', orderId))
  if (found === undefined || found.patient_no !== ctx.session.accountNo) {
    throw new AppError('not_found')
  }
  const payment = await lookAgain(ctx, found)
  const visitId = payment.state === 'paid' ? await getBookingId(db, payment.booking_no) : null
  return { ...statusOf(payment), visitId }
}
