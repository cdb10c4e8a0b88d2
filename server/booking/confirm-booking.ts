import type { Context, Tx } from '#server/context.ts'
import { findByNo, setConfirmed } from './store.ts'

type Confirmed = { bookingNo: number; paymentNo: number }

/**
 * Turns a hold into a visit, in the transaction that writes its payment down as paid. True also when
 * this very payment has done so before: events come twice. False when the time is no longer held or has
 * begun; then the money goes back.
 */
export async function confirmBooking(ctx: Context, tx: Tx, by: Confirmed): Promise<boolean> {
  const { bookingNo, paymentNo } = by
  const booking = await setConfirmed(tx.db, bookingNo, { paymentNo, now: ctx.now() })
  if (booking === null) return (await findByNo(tx.db, bookingNo))?.paid_by === paymentNo
  await tx.outbox.add('booking.confirmed', { bookingId: booking.id })
  await tx.audit.add({ action: 'booking.confirmed', entity: booking.id })
  return true
}
