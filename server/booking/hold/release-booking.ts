import type { Db } from '#db/engine.ts'
import { refillSlots } from '#server/availability/slots/extend-slots.ts'
import { getProviderId, hasLivePayment, lockHeld, setReleased } from '#server/booking/store.ts'
import type { Context, Tx } from '#server/context.ts'
import { listOverdueHolds, type Overdue, type OverdueHold } from './hold-store.ts'
import {
  deleteClaim,
  listClaimsIn,
  lockProviderClaims,
  openSlots,
  type Span,
} from './slot-store.ts'

/** Why a hold is released. Only `left` is the viewer's own act. */
type Reason = 'expired' | 'left' | 'unbookable' | 'erased'

type Release = {
  bookingNo: number
  reason?: Reason
  /** Releases only a hold that has expired by then, epoch milliseconds; a renewed one stays. */
  overAt?: number
}

/**
 * Releases a hold within the caller's transaction: the claim is deleted and its future slots are free again.
 * False when it is no longer held, or while a payment for it could still be made: that has to be ruled out
 * before the time is freed.
 */
export async function releaseBooking(ctx: Context, tx: Tx, release: Release): Promise<boolean> {
  const { bookingNo, reason = 'expired', overAt } = release
  const now = ctx.now()
  // Locked first, so that a concurrent payment is either seen below or comes too late.
  const held = await lockHeld(tx.db, bookingNo)
  if (held === undefined) return false
  if (overAt !== undefined && held.hold_until > overAt) return false
  if (await hasLivePayment(tx.db, bookingNo)) return false
  const { provider_no: providerNo, start_at: start, end_at: end } = held
  // Before the claim, in the same order as when a time is taken, to avoid a deadlock.
  await lockProviderClaims(tx.db, providerNo)
  await setReleased(tx.db, bookingNo, now)
  await deleteClaim(tx.db, bookingNo)
  const span = { providerNo, start, end }
  // The provider's current rules decide; without rules the slots are reopened as they were.
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
 * Releases expired holds that overlap a stretch of time, so that a new request need not wait for the sweep.
 * Returns whether there were any.
 */
export function releaseOverdue(ctx: Context, span: Span): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const overAt = ctx.now()
    let hasReleased = false
    for (const claim of await listClaimsIn(tx.db, span)) {
      if (claim.state !== 'held' || claim.hold_until > overAt) continue
      if (await releaseBooking(ctx, tx, { bookingNo: claim.no, overAt })) hasReleased = true
    }
    return hasReleased
  })
}

/** Expired holds that still occupy their time, after `after`, the longest expired first. */
export function listOverdue(db: Db, overdue: Overdue): Promise<OverdueHold[]> {
  return listOverdueHolds(db, overdue)
}
