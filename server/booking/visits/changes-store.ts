import { type Insertable, sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { VisitChangeRow } from '#db/tables/booking.ts'

export type VisitChange = Required<Omit<Insertable<VisitChangeRow>, 'no'>>

/** Writes a change of a visit down for good, in the transaction that makes it. */
export async function insertChange(db: Db, change: VisitChange): Promise<void> {
  await db.insertInto('visit_changes').values(change).execute()
}

/** Why and by whom a visit was cancelled, and what became of its money; undefined before there were records. */
export function findCancellation(db: Db, bookingNo: number) {
  return db
    .selectFrom('visit_changes')
    .select(['by_kind', 'reason', 'note', 'refund_minor', 'kept_minor'])
    .where('booking_no', '=', bookingNo)
    .where('what', '=', 'cancelled')
    .executeTakeFirst()
}

export type CancellationRow = Awaited<ReturnType<typeof findCancellation>>

type NextFree = {
  row: { provider_no: number; start_at: Instant }
  now: Instant
}

/** The next three free times of the provider of a cancelled visit, without the time that was cancelled. */
export async function listNextFree(db: Db, { row, now }: NextFree): Promise<Instant[]> {
  const rows = await db
    .selectFrom('slots')
    .select('start_at')
    .where('provider_no', '=', row.provider_no)
    .where('free', '=', sql.lit(1))
    .where('start_at', '>', now)
    .where('start_at', '<>', row.start_at)
    .orderBy('start_at')
    .limit(3)
    .execute()
  return rows.map(({ start_at: at }) => at)
}

/** Takes away what somebody who erased their account wrote about changes, and what was written to them. */
export async function blankChangeNotesOf(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('visit_changes')
    .set({ note: null })
    .where('note', 'is not', null)
    .where((where) =>
      where.or([
        where('by_id', '=', userId),
        where(
          'booking_no',
          'in',
          where
            .selectFrom('bookings as b')
            .innerJoin('accounts as a', 'a.no', 'b.patient_no')
            .select('b.no')
            .where('a.id', '=', userId),
        ),
      ]),
    )
    .execute()
}
