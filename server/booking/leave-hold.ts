import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { releaseBooking } from './release-booking.ts'
import { whyNotKept } from './rules.ts'
import { findOwn } from './store.ts'

/** Gives a time back that the viewer no longer wants, unless a payment for it is under way. */
export async function leaveHold(
  ctx: SignedIn,
  { holdId }: { holdId: string },
): Promise<{ status: true }> {
  await ctx.transaction(async (tx) => {
    const hold = await findOwn(tx.db, holdId, ctx.session.accountNo)
    if (hold === undefined) throw new AppError('not_found')
    if (hold.state === 'released') return
    const isGone = await releaseBooking(ctx, tx, { bookingNo: hold.no, reason: 'left' })
    if (!isGone) throw new AppError(whyNotKept(hold, ctx.now()) ?? 'payment_busy')
  })
  return { status: true }
}
