import type { ReturnAnswer, ReturnInput } from '#contract/payments.ts'
import { toIso } from '#contract/time.ts'
import { readVisitIn } from '#server/booking/read-visit.ts'
import type { Context } from '#server/context.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { isLive, statusOf } from './rules.ts'
import { settle } from './settle.ts'
import { findBySession, getBookingId, getHoldOf, getPayer, type Payment } from './store.ts'

/** Returning from the gateway is worth a question of its own, however recent the last one was. */
async function settled(ctx: Context, payment: Payment): Promise<Payment> {
  try {
    return await settle(ctx, payment)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, payment: payment.id }, 'a gateway could not be asked')
    return payment
  }
}

function wordOf(payment: Payment): ReturnAnswer['status'] {
  if (payment.state === 'paid') return 'complete'
  if (payment.state === 'capturing') return 'processing'
  return isLive(payment.state) ? 'open' : 'failed'
}

/** The hold to go back to: kept still, and its card session still open. */
async function holdOf(ctx: Context, payment: Payment): Promise<ReturnAnswer['hold']> {
  if (payment.state !== 'open' || payment.client_secret === null) return null
  const hold = await getHoldOf(ctx.database.db, payment.booking_no)
  if (hold.state !== 'held' || hold.hold_until <= ctx.now()) return null
  return {
    id: hold.id,
    clientSecret: payment.client_secret,
    holdUntil: toIso(hold.hold_until),
  }
}

/**
 * What the page a gateway sends people back to shows. Whoever knows the address of another's return
 * learns the status and nothing else.
 */
export async function readReturn(ctx: Context, input: ReturnInput): Promise<ReturnAnswer> {
  const { db } = ctx.database
  const found = await findBySession(db, 'stripe', input.session_id)
  if (found === undefined) throw new AppError('not_found')
  const payment = await settled(ctx, found)
  const status = wordOf(payment)
  const { reason } = statusOf(payment)
  if (ctx.session?.accountNo !== payment.patient_no) {
    return { status, reason: null, customer_email: null, visit: null, hold: null }
  }
  const payer = await getPayer(db, payment.patient_no)
  return {
    status,
    reason,
    customer_email: payer.email,
    visit:
      status === 'complete'
        ? await readVisitIn(db, await getBookingId(db, payment.booking_no))
        : null,
    hold: await holdOf(ctx, payment),
  }
}
