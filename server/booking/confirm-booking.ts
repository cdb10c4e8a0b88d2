import type { Context, Tx } from '#server/context.ts'
import { lockParties, setConfirmed } from './confirm-store.ts'
import { findByNo, lockHeld } from './store.ts'

type Confirmed = { bookingNo: number; paymentNo: number }

/**
 * Why a hold cannot become a visit, whatever was paid for it: its provider is not Verified any more, or
 * its patient has erased the account. Null when it can. What it says stays so until the transaction
 * ends; the caller has locked the booking.
 */
export async function whyNotConfirm(tx: Tx, bookingNo: number) {
  const { isVerified, isErased } = await lockParties(tx.db, bookingNo)
  if (!isVerified) return 'provider_not_bookable'
  return isErased ? 'patient_gone' : null
}

/**
 * Turns a hold into a visit, in the transaction that writes its payment down as paid. True also when
 * this very payment has done so before: events come twice. False when the time is no longer held or has
 * begun, the provider no longer Verified or the patient's account erased; then the money goes back.
 */
export async function confirmBooking(ctx: Context, tx: Tx, by: Confirmed): Promise<boolean> {
  const { bookingNo, paymentNo } = by
  // The booking before its provider: everybody locks in this order.
  const held = await lockHeld(tx.db, bookingNo)
  if (held === undefined) return (await findByNo(tx.db, bookingNo))?.paid_by === paymentNo
  if (held.start_at <= ctx.now()) return false
  if ((await whyNotConfirm(tx, bookingNo)) !== null) return false
  const { id } = await setConfirmed(tx.db, bookingNo, { paymentNo, now: ctx.now() })
  await tx.outbox.add('booking.confirmed', { bookingId: id })
  await tx.audit.add({ action: 'booking.confirmed', entity: id })
  return true
}
