import { HOLD_MS, type Hold } from '#contract/booking.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readHold } from './read-hold.ts'
import { whyNotRenew } from './rules.ts'
import { extendHold, findOwn } from './store.ts'

/** Keeps a time for fifteen minutes more, once. */
export async function renewHold(ctx: SignedIn, { holdId }: { holdId: string }): Promise<Hold> {
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const hold = await findOwn(tx.db, holdId, ctx.session.accountNo)
    if (hold === undefined) throw new AppError('not_found')
    const refusal = whyNotRenew(hold, now)
    if (refusal !== null) throw new AppError(refusal)
    const until = hold.hold_until + HOLD_MS
    if (!(await extendHold(tx.db, hold.no, { until, now }))) throw new AppError('hold_renewed')
    await tx.audit.add({ action: 'booking.renewed', entity: holdId })
  })
  return readHold(ctx, { holdId })
}
