import type { Hold } from '#contract/booking.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readHold } from './read-hold.ts'
import { holdEnd, whyNotRenew } from './rules.ts'
import { extendHold, findOwn } from './store.ts'

/** Keeps a time for fifteen minutes more, once, and never longer than it may be paid for. */
export async function renewHold(ctx: SignedIn, { holdId }: { holdId: string }): Promise<Hold> {
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const hold = await findOwn(tx.db, holdId, ctx.session.accountNo)
    if (hold === undefined) throw new AppError('not_found')
    const refusal = whyNotRenew(hold, now)
    if (refusal !== null) throw new AppError(refusal)
    const until = holdEnd(hold.hold_until, hold.pay_by)
    if (!(await extendHold(tx.db, hold.no, { until, now }))) throw new AppError('hold_renewed')
    await tx.audit.add({ action: 'booking.renewed', entity: holdId })
  })
  return readHold(ctx, { holdId })
}
