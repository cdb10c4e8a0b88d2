import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { LIVE_PAYMENT } from '#server/booking/store.ts'

/** When a patient began to hold what they have not paid for, since an instant. */
export function listUnpaid(db: Db, of: { patientNo: number; since: Instant }) {
  return db
    .selectFrom('bookings')
    .select('created_at')
    .where('patient_no', '=', of.patientNo)
    .where('state', 'in', ['held', 'released'])
    .where('created_at', '>', of.since)
    .execute()
}

/**
 * With whom a patient has visits that have not begun: booked ones, and times they keep. A hold that is over
 * counts while its payment could still make a visit of it.
 */
export function listComing(db: Db, of: { patientNo: number; now: Instant }) {
  return db
    .selectFrom('bookings as b')
    .select('b.provider_no')
    .where('b.patient_no', '=', of.patientNo)
    .where('b.start_at', '>', of.now)
    .where((where) =>
      where.or([
        where('b.state', '=', 'confirmed'),
        where.and([
          where('b.state', '=', 'held'),
          where.or([
            where('b.hold_until', '>', of.now),
            where.exists(
              where
                .selectFrom('payments as y')
                .select('y.no')
                .whereRef('y.booking_no', '=', 'b.no')
                .where('y.state', 'in', LIVE_PAYMENT),
            ),
          ]),
        ]),
      ]),
    )
    .execute()
}

/** Whether a patient has ever paid for a visit, whatever became of it. */
export async function hasEverPaid(db: Db, patientNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('bookings')
    .select('no')
    .where('patient_no', '=', patientNo)
    .where('state', 'in', ['confirmed', 'cancelled'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type Kept = { now: Instant; heldFrom?: string; providerNo?: number }

/** Until when people who have never paid keep times now: those from a network, or of a provider. */
export function listNewcomerHolds(db: Db, { now, heldFrom, providerNo }: Kept) {
  let query = db
    .selectFrom('bookings')
    .select('hold_until')
    .where('state', '=', 'held')
    .where('hold_until', '>', now)
    .where('held_from', 'is not', null)
  if (heldFrom !== undefined) query = query.where('held_from', '=', heldFrom)
  if (providerNo !== undefined) query = query.where('provider_no', '=', providerNo)
  return query.execute()
}
