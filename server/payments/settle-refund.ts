import type { SettleRefundInput } from '#contract/payments-review.ts'
import type { StaffPayment } from '#contract/payments-staff.ts'
import type { AsStaff } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findRefundsPayment, settleByHand } from './review-store.ts'
import { readStaffPayment } from './staff-payment.ts'
import { lockPayment, setState } from './store.ts'

/**
 * A refund the gateway could not pay out was paid by hand: it counts as gone back. Asked twice it is
 * marked once. Throws `refund_nothing` when it did not fail.
 */
export async function settleRefund(ctx: AsStaff, input: SettleRefundInput): Promise<StaffPayment> {
  const found = await findRefundsPayment(ctx.database.db, input.refundId)
  if (found === undefined) throw new AppError('not_found')
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const payment = await lockPayment(tx.db, found.no, now)
    const dealt = { by: ctx.viewer.id, note: input.reason, now }
    const settled = await settleByHand(tx.db, input.refundId, dealt)
    if (settled === null) {
      if (found.dealt_at === null) throw new AppError('refund_nothing')
      return
    }
    if (payment.state === 'refund_due') {
      await setState(tx.db, payment.no, { state: 'refunded', now })
    }
    await tx.audit.add({
      action: 'payment.refund_settled',
      entity: payment.id,
      details: { refund: input.refundId, amount: settled.amount_minor },
    })
  })
  return readStaffPayment(ctx, found.id)
}
