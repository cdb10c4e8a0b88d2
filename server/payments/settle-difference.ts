import type { Difference, SettleDifferenceInput } from '#contract/payments-review.ts'
import type { AsStaff } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { showDifference } from './list-differences.ts'
import { findDifference, setDealt } from './review-store.ts'
import { listStaffNames } from './staff-store.ts'

/**
 * Marks a difference as dealt with, and keeps how. Nothing moves by it. Whoever comes second is shown
 * what the first one wrote.
 */
export async function settleDifference(
  ctx: AsStaff,
  input: SettleDifferenceInput,
): Promise<Difference> {
  const by = ctx.viewer.id
  await ctx.transaction(async (tx) => {
    const dealt = { by, note: input.reason, now: ctx.now() }
    if (!(await setDealt(tx.db, input, dealt))) return
    await tx.audit.add({
      action: 'payment.difference_settled',
      entity: input.object,
      details: { kind: input.kind, via: input.gateway },
    })
  })
  const { db } = ctx.database
  const row = await findDifference(db, input)
  if (row === undefined) throw new AppError('not_found')
  return showDifference(row, await listStaffNames(db, row.dealt_by === null ? [] : [row.dealt_by]))
}
