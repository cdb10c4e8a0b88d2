import type { DecideReviewInput } from '#contract/payments-review.ts'
import type { StaffPayment } from '#contract/payments-staff.ts'
import { reviveBooking } from '#server/booking/revive-booking.ts'
import type { AsStaff, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { closePayment } from './close-payment.ts'
import { assertMayGiveBack } from './may-give-back.ts'
import { takenOf } from './refund-rules.ts'
import { insertRefund, listRefundsOf } from './refund-store.ts'
import { whyNotAccept } from './review-rules.ts'
import { getStart } from './review-store.ts'
import { isLive } from './rules.ts'
import { sendRefund } from './run-refunds.ts'
import { readStaffPayment } from './staff-payment.ts'
import { findPaymentNo } from './staff-store.ts'
import { findLive, getBookingId, getPayment, lockPayment, type Payment, setState } from './store.ts'

const made = { accept: 'accepted', return: 'returned' } as const

type Came = { minor: number; currency: string; isOurs: boolean }
type Deciding = { payment: Payment; came: Came; input: DecideReviewInput }

/** What the gateway has of it at this moment; the demo's made-up payments are in no gateway's books. */
async function readCame(ctx: AsStaff, payment: Payment): Promise<Came> {
  if (payment.gw_session === null) return { ...takenOf(payment), isOurs: true }
  const { gw_session: session, gw_payment: gwPayment } = payment
  const truth = await ctx.gateways[payment.gateway].read({ session, gwPayment })
  if (truth.state !== 'paid') throw new AppError('refund_nothing')
  return {
    minor: truth.amountMinor,
    currency: truth.currency.toUpperCase(),
    isOurs: truth.paymentId === payment.id,
  }
}

async function owe(ctx: AsStaff, tx: Tx, owed: Deciding & { minor: number }): Promise<string> {
  const { payment, came, input, minor } = owed
  const id = ctx.newId('rfd')
  const reason = input.decision === 'accept' ? 'overpaid' : 'review'
  await insertRefund(tx.db, {
    id,
    payment_no: payment.no,
    reason,
    amount_minor: minor,
    currency: came.currency,
    note: input.reason,
    actor_id: ctx.viewer.id,
    now: ctx.now(),
  })
  return id
}

/**
 * Makes another payment that is open for the same visit impossible, so that this one can book it.
 * Refuses when that one is taking money, or has.
 */
async function closeOther(ctx: AsStaff, payment: Payment): Promise<void> {
  const other = await findLive(ctx.database.db, payment.booking_no)
  if (other === undefined || other.no === payment.no) return
  const closed = await closePayment(ctx, other)
  if (isLive(closed.state) || closed.state === 'paid') throw new AppError('review_other_payment')
}

/** The visit is booked with it; what is too much goes back. */
async function accept(ctx: AsStaff, tx: Tx, deciding: Deciding): Promise<string | null> {
  const { payment, came } = deciding
  const startAt = await getStart(tx.db, payment.booking_no)
  const why = came.isOurs ? whyNotAccept(payment, came, { startAt, now: ctx.now() }) : null
  if (!came.isOurs) throw new AppError('review_not_covered')
  if (why !== null) throw new AppError(why)
  await reviveBooking(ctx, tx, { bookingNo: payment.booking_no, paymentNo: payment.no })
  const tooMuch = came.minor - payment.amount_minor
  return tooMuch > 0 ? owe(ctx, tx, { ...deciding, minor: tooMuch }) : null
}

async function giveBack(ctx: AsStaff, tx: Tx, deciding: Deciding): Promise<string> {
  const { payment, came } = deciding
  assertMayGiveBack(ctx, came, await listRefundsOf(tx.db, payment.no))
  return owe(ctx, tx, { ...deciding, minor: came.minor })
}

/** The refund that is owed by the decision, or null. */
async function decideIn(ctx: AsStaff, tx: Tx, deciding: Deciding): Promise<string | null> {
  const { payment, came, input } = deciding
  const isAccepted = input.decision === 'accept'
  const owed = await (isAccepted ? accept : giveBack)(ctx, tx, deciding)
  await setState(tx.db, payment.no, {
    state: isAccepted ? 'paid' : 'refund_due',
    taken_minor: came.minor,
    taken_currency: came.currency,
    decision: made[input.decision],
    decision_note: input.reason,
    decided_by: ctx.viewer.id,
    decided_at: ctx.now(),
    now: ctx.now(),
  })
  await tx.audit.add({
    action: isAccepted ? 'payment.accepted' : 'payment.returned',
    entity: payment.id,
    details: {
      expected: payment.amount_minor,
      came: came.minor,
      currency: came.currency,
      via: payment.gateway,
    },
  })
  return owed
}

/**
 * Staff decide about money that came in otherwise than asked for: it books the visit where it covers
 * it and the time is nobody else's, or all of it goes back. The gateway's books are read again first.
 * Asked twice it is one decision; another one meanwhile is `review_decided`.
 */
export async function decideReview(ctx: AsStaff, input: DecideReviewInput): Promise<StaffPayment> {
  const { db } = ctx.database
  const no = await findPaymentNo(db, input.paymentId)
  if (no === undefined) throw new AppError('not_found')
  const seen = await getPayment(db, no)
  const came = seen.state === 'review' ? await readCame(ctx, seen) : null
  if (came !== null && input.decision === 'accept') await closeOther(ctx, seen)
  const owed = await ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx.db, no, ctx.now())
    if (payment.decision === made[input.decision]) return null
    if (payment.state !== 'review' || came === null) throw new AppError('review_decided')
    // Begun since the last look: whoever decides looks again.
    const live = await findLive(tx.db, payment.booking_no)
    if (input.decision === 'accept' && live !== undefined) {
      throw new AppError('review_other_payment')
    }
    return decideIn(ctx, tx, { payment, came, input })
  })
  if (owed !== null) await sendRefund(ctx, owed)
  return readStaffPayment(ctx, await getBookingId(db, seen.booking_no))
}
