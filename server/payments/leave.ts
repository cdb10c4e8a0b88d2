import type { HoldRef } from '#contract/booking.ts'
import { releaseBooking } from '#server/booking/release-booking.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { closePayment } from './close-payment.ts'
import { isLive } from './rules.ts'
import { findLive, findOwnHold } from './store.ts'

type Closing = Parameters<typeof releaseBooking>[2]

/**
 * Frees the time of a hold once nothing can be paid for it any more. True when it is free now or was
 * before; false while money may still come. Throws `UpstreamError` when the gateway cannot be asked.
 */
export async function closeBooking(ctx: Context, closing: Closing): Promise<boolean> {
  const { bookingNo } = closing
  const live = await findLive(ctx.database.db, bookingNo)
  if (live !== undefined && live.state !== 'paid') {
    const closed = await closePayment(ctx, live)
    if (isLive(closed.state) || closed.state === 'paid') return false
  }
  return ctx.transaction(async (tx) => {
    // Another tab may have begun to pay meanwhile.
    if ((await findLive(tx.db, bookingNo)) !== undefined) return false
    return releaseBooking(ctx, tx, closing)
  })
}

/** The viewer leaves the checkout: the time goes back to everybody. */
export async function leave(ctx: SignedIn, { holdId }: HoldRef): Promise<{ released: boolean }> {
  const hold = await findOwnHold(ctx.database.db, holdId, ctx.session.accountNo)
  if (hold === undefined) throw new AppError('not_found')
  if (hold.state !== 'held') return { released: hold.state === 'released' }
  try {
    return { released: await closeBooking(ctx, { bookingNo: hold.no, reason: 'left' }) }
  } catch (error) {
    // The sweep goes on with it when the hold is over.
    if (error instanceof UpstreamError) return { released: false }
    throw error
  }
}
