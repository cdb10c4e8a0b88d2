import { formatExactMoney } from '#contract/money.ts'
import { whyNot } from '#contract/staff.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import type { AsStaff } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isOverLimit } from './refund-rules.ts'

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
