import { isOverlapViolation } from '#db/failures.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { confirmBooking, whyNotConfirm } from './confirm-booking.ts'
import { lockReleased, setHeldAgain } from './ended-store.ts'
import { closeSlots, insertClaimAt, takeTurns } from './slot-store.ts'
import { findByNo, getProviderId } from './store.ts'

type Paid = { bookingNo: number; paymentNo: number }

/** Claims the time once more; the database decides whether it is still nobody's. */
async function claimAgain(tx: Tx, booking: NonNullable<Awaited<ReturnType<typeof lockReleased>>>) {
  const { no, provider_no: providerNo, start_at: start, end_at: end } = booking
  await takeTurns(tx.db, providerNo)
  try {
    await insertClaimAt(tx.db, { bookingNo: no, providerNo, start, end })
  } catch (error) {
    if (!isOverlapViolation(error)) throw error
    throw new AppError('slot_taken', {}, { cause: error })
  }
  await closeSlots(tx.db, { providerNo, start, end })
  await tx.outbox.add('provider.changed', { providerId: await getProviderId(tx.db, providerNo) })
}

/**
 * Books a visit for money that staff have accepted, also when its time was given back meanwhile: then
 * it is claimed again. Throws `slot_taken` when somebody else has it, `slot_passed` when it has begun,
 * `hold_paid` when another payment has booked it, `provider_not_bookable` when its provider is not
 * Verified any more, and `patient_gone` when its patient has erased the account.
 */
export async function reviveBooking(ctx: Context, tx: Tx, paid: Paid): Promise<void> {
  const { bookingNo } = paid
  const released = await lockReleased(tx.db, bookingNo)
  const booking = released ?? (await findByNo(tx.db, bookingNo))
  if (booking === undefined) throw new AppError('not_found')
  if (booking.start_at <= ctx.now()) throw new AppError('slot_passed')
  if (released !== undefined) {
    await claimAgain(tx, released)
    await setHeldAgain(tx.db, bookingNo)
    await tx.audit.add({ action: 'booking.revived', entity: released.id })
  }
  const isOpen = booking.state === 'held' || booking.state === 'released'
  const why = isOpen ? await whyNotConfirm(tx, bookingNo) : null
  if (why !== null) throw new AppError(why)
  if (!(await confirmBooking(ctx, tx, paid))) throw new AppError('hold_paid')
}
