import type { Hold } from '#contract/booking.ts'
import type { Instant } from '#db/columns.ts'
import { isOverlapViolation } from '#db/failures.ts'
import { refillSlots } from '#server/availability/slots/extend-slots.ts'
import { holdEnd, whyNotRenew } from '#server/booking/rules.ts'
import { extendHold, findByNo, findOwn, getProviderId } from '#server/booking/store.ts'
import { confirmBooking, whyNotConfirm } from '#server/booking/visits/confirm-booking.ts'
import { lockReleased, restoreHold } from '#server/booking/visits/state-store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readHold } from './read-hold.ts'
import { closeSlots, insertClaimAt, lockProviderClaims } from './slot-store.ts'

/** Extends a hold by fifteen minutes, once, and never past its payment deadline. */
export async function renewHold(ctx: SignedIn, { holdId }: { holdId: string }): Promise<Hold> {
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const hold = await findOwn(tx.db, holdId, ctx.session.accountNo)
    if (hold === undefined) throw new AppError('not_found')
    const refusal = whyNotRenew(hold, now)
    if (refusal !== null) throw new AppError(refusal)
    const until = holdEnd(hold.hold_until, hold.pay_by)
    if (!(await extendHold(tx.db, hold.no, { until, now }))) throw new AppError('hold_renewed')
    await tx.audit.add({ action: 'booking.renewed', entity: holdId })
  })
  return readHold(ctx, { holdId })
}

type Paid = { bookingNo: number; paymentNo: number }

/** Claims the time again; the database refuses it when it is taken. */
async function claimAgain(
  tx: Tx,
  booking: NonNullable<Awaited<ReturnType<typeof lockReleased>>>,
  now: Instant,
) {
  const { no, provider_no: providerNo, start_at: start, end_at: end } = booking
  await lockProviderClaims(tx.db, providerNo)
  try {
    await insertClaimAt(tx.db, { bookingNo: no, providerNo, start, end })
  } catch (error) {
    if (!isOverlapViolation(error)) throw error
    throw new AppError('slot_taken', {}, { cause: error })
  }
  await closeSlots(tx.db, { providerNo, start, end })
  // Slots within the buffer after it go off the offer too.
  await refillSlots(tx.db, { providerNo, start, end }, now)
  await tx.outbox.add('provider.changed', { providerId: await getProviderId(tx.db, providerNo) })
}

/**
 * Books a visit for a payment that staff have accepted, claiming its time again if it was released. Throws
 * `slot_taken` when the time is taken, `slot_passed` when it has begun, `hold_paid` when another payment has
 * booked it, `provider_not_bookable` when the provider is no longer Verified, and `patient_gone` when the
 * patient's account is erased.
 */
export async function reviveBooking(ctx: Context, tx: Tx, paid: Paid): Promise<void> {
  const { bookingNo } = paid
  const released = await lockReleased(tx.db, bookingNo)
  const booking = released ?? (await findByNo(tx.db, bookingNo))
  if (booking === undefined) throw new AppError('not_found')
  if (booking.start_at <= ctx.now()) throw new AppError('slot_passed')
  if (released !== undefined) {
    await claimAgain(tx, released, ctx.now())
    await restoreHold(tx.db, bookingNo)
    await tx.audit.add({ action: 'booking.revived', entity: released.id })
  }
  const isOpen = booking.state === 'held' || booking.state === 'released'
  const why = isOpen ? await whyNotConfirm(tx, bookingNo) : null
  if (why !== null) throw new AppError(why)
  if (!(await confirmBooking(ctx, tx, paid))) throw new AppError('hold_paid')
}
