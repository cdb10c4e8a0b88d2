import { refillSlots } from '#server/availability/refill-slots.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { setCancelled } from './ended-store.ts'
import { deleteClaim, openSlots } from './slot-store.ts'
import { getProviderId } from './store.ts'

/**
 * Calls a coming visit off, in the transaction that decides what becomes of its money: the claim goes,
 * the time is free again, and both are told with a file that takes it out of their calendars. Throws
 * `release_impossible` when it is not booked any more, or has begun.
 */
export async function cancelBooking(ctx: Context, tx: Tx, bookingNo: number): Promise<void> {
  const now = ctx.now()
  const booking = await setCancelled(tx.db, bookingNo, now)
  if (booking === null) throw new AppError('release_impossible')
  await deleteClaim(tx.db, bookingNo)
  const { id, provider_no: providerNo, start_at: start, end_at: end } = booking
  const span = { providerNo, start, end }
  if (!(await refillSlots(tx.db, span, now))) await openSlots(tx.db, span, now)
  await tx.outbox.add('provider.changed', { providerId: await getProviderId(tx.db, providerNo) })
  await tx.outbox.add('booking.cancelled', { bookingId: id })
  await tx.audit.add({ action: 'booking.cancelled', entity: id })
}
