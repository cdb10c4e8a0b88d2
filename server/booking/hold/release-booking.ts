import type { Db } from '#db/engine.ts'
import { refillSlots } from '#server/availability/slots/extend-slots.ts'
import { getProviderId, hasLivePayment, lockHeld, setReleased } from '#server/booking/store.ts'
import type { Context, Tx } from '#server/context.ts'
import { listOverdueHolds, type Overdue, type OverdueHold } from './hold-store.ts'
import { deleteClaim, listClaimsIn, openSlots, type Span, takeTurns } from './slot-store.ts'

/** Why a time is no longer kept. Only leaving is the act of whoever asks. */
type Reason = 'expired' | 'left' | 'unbookable' | 'erased'

type Released = {
  bookingNo: number
  reason?: Reason
  /** Only a hold that is over by then, epoch milliseconds; one renewed meanwhile stays. */
  overAt?: number
}

/**
 * Gives a held time back, within the caller's transaction: the claim goes, and coming slots are free
 * again. False when it is not held any more, or when a payment for it could still be made: a time is
 * freed only after that has been made impossible.
 */
export async function releaseBooking(ctx: Context, tx: Tx, released: Released): Promise<boolean> {
  const { bookingNo, reason = 'expired', overAt } = released
  const now = ctx.now()
  // Locked first, so that a payment begun at this very moment is either seen below or comes too late.
  const held = await lockHeld(tx.db, bookingNo)
  if (held === undefined) return false
  if (overAt !== undefined && held.hold_until > overAt) return false
  if (await hasLivePayment(tx.db, bookingNo)) return false
  const { provider_no: providerNo, start_at: start, end_at: end } = held
  // Before the claim, as whoever takes a time does: else each could wait for the other.
  await takeTurns(tx.db, providerNo)
  await setReleased(tx.db, bookingNo, now)
  await deleteClaim(tx.db, bookingNo)
  const span = { providerNo, start, end }
  // What the provider's rules say by now counts; whoever has none keeps the slots as they were.
  if (!(await refillSlots(tx.db, span, now))) await openSlots(tx.db, span, now)
  await tx.outbox.add('provider.changed', { providerId: await getProviderId(tx.db, providerNo) })
  await tx.audit.add({
    action: 'booking.released',
    entity: held.id,
    details: { reason },
    ...(reason === 'left' ? {} : { actor: { kind: 'system', id: null } }),
  })
  return true
}

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

/** Holds that are over and still occupy their time, the longest first, from behind `after` on. */
export function listOverdue(db: Db, overdue: Overdue): Promise<OverdueHold[]> {
  return listOverdueHolds(db, overdue)
}
