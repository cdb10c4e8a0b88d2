import { DAY_MS } from '#contract/time.ts'
import { releaseBooking } from '#server/booking/hold/release-booking.ts'
import {
  blankBookingsOf,
  blankPurposesBefore,
  findPatientNo,
  listHeldBy,
} from '#server/booking/store.ts'
import { type Services, systemContext } from '#server/context.ts'
import { blankChangeNotesOf } from './changes-store.ts'

/**
 * Takes what somebody told about themselves out of their bookings, after their account was erased. The
 * visits stay, with when, where and what was paid: the provider and the tax office need those. Times
 * still held go back, unless a payment may still come; then the sweep goes on with them.
 */
export async function forgetPatient(services: Services, userId: string): Promise<void> {
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
 * Forgets why somebody wanted a visit that never came about. For a day it is kept, so that whoever
 * lost a time need not write it again for the next one.
 */
export async function forgetPurposes({ database, now }: Services): Promise<void> {
  await blankPurposesBefore(database.db, now() - DAY_MS)
}
