import { DAY_MS } from '#contract/base/time.ts'
import { listHeldBy } from '#server/booking/hold/hold-store.ts'
import { releaseBooking } from '#server/booking/hold/holds.ts'
import { blankBookingsOf, blankPurposesBefore, findPatientNo } from '#server/booking/store.ts'
import { type Services, systemContext } from '#server/context.ts'
import { blankChangeNotesOf } from './changes-store.ts'

/**
 * Blanks what patients said about themselves in their bookings, after their account was erased. The visits
 * stay, with time, place and payment, for the provider and the tax office. Holds are released, unless a
 * payment may still arrive; those are left to the sweep.
 */
export async function erasePatient(services: Services, userId: string): Promise<void> {
  const ctx = systemContext(services, 'erase')
  await ctx.transaction(async (tx) => {
    await blankChangeNotesOf(tx.db, userId)
    const patientNo = await findPatientNo(tx.db, userId)
    if (patientNo === undefined) return
    await blankBookingsOf(tx.db, patientNo)
    for (const bookingNo of await listHeldBy(tx.db, patientNo)) {
      await releaseBooking(ctx, tx, { bookingNo, reason: 'erased' })
    }
  })
}

/**
 * Blanks the purposes of holds that were never booked. They are kept for a day, so that a patient who lost a
 * time need not enter it again for the next one.
 */
export async function purgePurposes({ database, now }: Services): Promise<void> {
  await blankPurposesBefore(database.db, now() - DAY_MS)
}
