import type { Context } from '#server/context.ts'
import { releaseBooking } from './release-booking.ts'
import type { Span } from './slot-store.ts'
import { listClaimsIn } from './slot-store.ts'

/**
 * Gives back what overlaps a stretch of time and is kept for nobody any more, so that whoever wants
 * it need not wait for the sweep. Whether anything was.
 */
export function releaseOverdue(ctx: Context, span: Span): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const overAt = ctx.now()
    let isFreer = false
    for (const claim of await listClaimsIn(tx.db, span)) {
      if (claim.state !== 'held' || claim.hold_until > overAt) continue
      if (await releaseBooking(ctx, tx, { bookingNo: claim.no, overAt })) isFreer = true
    }
    return isFreer
  })
}
