import { formatExactMoney } from '#contract/money.ts'
import type { RefundInput, StaffPayment } from '#contract/payments-staff.ts'
import { whyNot } from '#contract/staff.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import { cancelBooking } from '#server/booking/visits/cancel-booking.ts'
import type { AsStaff, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readStaffPayment } from '#server/payments/history/staff-payment.ts'
import { findPaymentNo } from '#server/payments/history/staff-store.ts'
import { getBookingId, lockPayment, type Payment } from '#server/payments/store.ts'
import { isOverLimit, refundableOf, takenOf } from './refund-rules.ts'
import { dealWithFailed, insertRefund, listRefundsOf } from './refund-store.ts'
import { sendRefund } from './run-refunds.ts'

const keyOf = ({ key }: RefundInput) => `staff:${key}`

/** Owes the money, once a key; the id of the refund, or null when it was asked for before. */
async function oweMoney(
  ctx: AsStaff,
  tx: Tx,
  { payment, input }: { payment: Payment; input: RefundInput },
): Promise<string | null> {
  const refunds = await listRefundsOf(tx.db, payment.no)
  const earlier = refunds.find(({ key }) => key === keyOf(input))
  if (earlier !== undefined) {
    if (earlier.amount_minor !== input.minor) throw new AppError('key_reused')
    return null
  }
  const left = refundableOf(payment, refunds)
  const { currency } = takenOf(payment)
  if (left === 0) throw new AppError('refund_nothing')
  if (input.minor > left) {
    throw new AppError('refund_too_much', { left: formatExactMoney({ minor: left, currency }) })
  }
  assertMayGiveBack(ctx, { minor: input.minor, currency }, refunds)
  if (input.releaseTime && input.minor < left) throw new AppError('release_impossible')
  const id = ctx.newId('rfd')
  const now = ctx.now()
  await insertRefund(tx.db, {
    id,
    payment_no: payment.no,
    key: keyOf(input),
    reason: 'staff',
    amount_minor: input.minor,
    currency,
    note: input.reason,
    actor_id: ctx.viewer.id,
    now,
  })
  // One that failed is done with once all of it is given again: this one is in its place.
  const { minor, reason: note } = input
  await dealWithFailed(tx.db, payment.no, { by: ctx.viewer.id, note, minor, now })
  await tx.audit.add({
    action: 'payment.refund_asked',
    entity: payment.id,
    details: { refund: id, amount: input.minor, currency, release: Number(input.releaseTime) },
  })
  return id
}

/**
 * Staff give back a paid visit's money, all of it or a part, never more than is left of what came in.
 * Sent twice under one key it happens once. The visit stays booked unless its time is to be released,
 * which takes all that is left. What is owed is written down first; the gateway is asked afterwards,
 * and again by a job where it does not answer.
 */
export async function refund(ctx: AsStaff, input: RefundInput): Promise<StaffPayment> {
  const no = await findPaymentNo(ctx.database.db, input.paymentId)
  if (no === undefined) throw new AppError('not_found')
  const { owed, bookingNo } = await ctx.transaction(async (tx) => {
    // Everybody who gives back of this payment waits here for whoever does so now.
    const payment = await lockPayment(tx.db, no, ctx.now())
    const id = await oweMoney(ctx, tx, { payment, input })
    if (id !== null && input.releaseTime)
      await cancelBooking(ctx, tx, {
        bookingNo: payment.booking_no,
        money: { refundMinor: input.minor, keptMinor: 0 },
      })
    return { owed: id, bookingNo: payment.booking_no }
  })
  if (owed !== null) await sendRefund(ctx, owed)
  return readStaffPayment(ctx, await getBookingId(ctx.database.db, bookingNo))
}

/**
 * Refuses staff who may not give so much back: above the limit only superusers may, with a proof of the
 * last five minutes.
 */
export function assertMayGiveBack(
  ctx: AsStaff,
  more: { minor: number; currency: string },
  refunds: readonly RefundRow[],
): void {
  const { limit, isOver } = isOverLimit(more, refunds)
  if (!isOver) return
  if (whyNot('refundOverLimit', ctx.viewer.role) !== null) {
    const { currency } = more
    throw new AppError('refund_over_limit', { limit: formatExactMoney({ minor: limit, currency }) })
  }
  if ((ctx.session?.steppedUpUntil ?? 0) <= ctx.now()) throw new AppError('step_up_required')
}
