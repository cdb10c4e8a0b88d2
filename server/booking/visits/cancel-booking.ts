import { refillSlots } from '#server/availability/slots/extend-slots.ts'
import { deleteClaim, openSlots } from '#server/booking/hold/slot-store.ts'
import { getProviderId } from '#server/booking/store.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { sealProvider } from './confirm-booking.ts'
import { setCancelled } from './ended-store.ts'
import { findVisit } from './visit-store.ts'

type Cancelled = {
  bookingNo: number
  /** Their provider is erased in the same transaction: the emails are told who that was. */
  because?: 'provider_left'
}

async function leaverOf(ctx: Context, tx: Tx, bookingId: string): Promise<string> {
  const row = await findVisit(tx.db, bookingId)
  if (row === undefined) throw new Error('The visit of a cancellation is not there.')
  return sealProvider(ctx, row)
}

/**
 * Calls a coming visit off, in the transaction that decides what becomes of its money: the claim goes,
 * the time is free again unless its provider leaves, and both are told with a file that takes it out of
 * their calendars. Throws `release_impossible` when it is not booked any more, or has begun.
 */
export async function cancelBooking(ctx: Context, tx: Tx, cancelled: Cancelled): Promise<void> {
  const { bookingNo, because } = cancelled
  const now = ctx.now()
  const booking = await setCancelled(tx.db, bookingNo, now)
  if (booking === null) throw new AppError('release_impossible')
  await deleteClaim(tx.db, bookingNo)
  const { id, provider_no: providerNo, start_at: start, end_at: end } = booking
  const span = { providerNo, start, end }
  if (because === 'provider_left') {
    // Nobody is offered times of somebody who leaves.
    await tx.outbox.add('booking.cancelled', { bookingId: id, leaver: await leaverOf(ctx, tx, id) })
  } else {
    if (!(await refillSlots(tx.db, span, now))) await openSlots(tx.db, span, now)
    await tx.outbox.add('provider.changed', { providerId: await getProviderId(tx.db, providerNo) })
    await tx.outbox.add('booking.cancelled', { bookingId: id })
  }
  await tx.audit.add({ action: 'booking.cancelled', entity: id })
}
