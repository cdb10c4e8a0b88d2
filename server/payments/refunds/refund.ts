import { formatExactMoney } from '#contract/money.ts'
import type { RefundInput, StaffPayment } from '#contract/payments-staff.ts'
import { staffRefusal } from '#contract/staff.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import { cancelBooking } from '#server/booking/visits/cancel-booking.ts'
import type { AsStaff, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readStaffPayment } from '#server/payments/history/staff-payment.ts'
import { findPaymentNo } from '#server/payments/history/staff-store.ts'
import { getBookingId, lockPayment, type Payment } from '#server/payments/store.ts'
import { isOverLimit, receivedAmount, refundableOf } from './refund-rules.ts'
import { insertRefund, listRefundsOf, resolveFailed } from './refund-store.ts'
import { sendRefund } from './run-refunds.ts'

const keyOf = ({ key }: RefundInput) => `staff:${key}`

/** Queues the refund, idempotent by key; returns its id, or null if it was already requested. */
async function enqueueRefund(
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
  const { currency } = receivedAmount(payment)
  if (left === 0) throw new AppError('refund_nothing')
  if (input.minor > left) {
    throw new AppError('refund_too_much', { left: formatExactMoney({ minor: left, currency }) })
  }
  assertMayRefund(ctx, { minor: input.minor, currency }, refunds)
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
  // Failed refunds covered by this one are resolved: it takes their place.
  const { minor, reason: note } = input
  await resolveFailed(tx.db, payment.no, { by: ctx.viewer.id, note, minor, now })
  await tx.audit.add({
    action: 'payment.refund_asked',
    entity: payment.id,
    details: { refund: id, amount: input.minor, currency, release: Number(input.releaseTime) },
  })
  return id
}

/**
 * Staff refund a paid visit, in full or in part, up to what is left. Idempotent by key. The visit stays
 * booked unless its time is released, which requires a full refund of the rest. The refund is stored first
 * and then sent to the gateway; a job retries it if the gateway does not respond.
 */
export async function refund(ctx: AsStaff, input: RefundInput): Promise<StaffPayment> {
  const no = await findPaymentNo(ctx.database.db, input.paymentId)
  if (no === undefined) throw new AppError('not_found')
  const { owed, bookingNo } = await ctx.transaction(async (tx) => {
    // Concurrent refunds of this payment wait here for the row lock.
    const payment = await lockPayment(tx.db, no, ctx.now())
    const id = await enqueueRefund(ctx, tx, { payment, input })
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
 * Rejects a refund that exceeds the viewer's limit: above it only superusers may refund, with step-up
 * authentication in the last five minutes.
 */
export function assertMayRefund(
  ctx: AsStaff,
  more: { minor: number; currency: string },
  refunds: readonly RefundRow[],
): void {
  const { limit, isOver } = isOverLimit(more, refunds)
  if (!isOver) return
  if (staffRefusal('refundOverLimit', ctx.viewer.role) !== null) {
    const { currency } = more
    throw new AppError('refund_over_limit', { limit: formatExactMoney({ minor: limit, currency }) })
  }
  if ((ctx.session?.steppedUpUntil ?? 0) <= ctx.now()) throw new AppError('step_up_required')
}
