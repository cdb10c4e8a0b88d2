import type { Insertable } from 'kysely'
import type { Instant, WallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { VisitChangeRow } from '#db/tables/booking.ts'
import { REASON_PROPOSED } from '#server/booking/rules.ts'

export type VisitChange = Required<Omit<Insertable<VisitChangeRow>, 'no'>>

/** Records a change of a visit permanently, in the transaction that makes it. */
export async function insertChange(db: Db, change: VisitChange): Promise<void> {
  await db.insertInto('visit_changes').values(change).execute()
}

/** The record of a cancellation: reason, actor and amounts; undefined for visits that predate the records. */
export function findCancellation(db: Db, bookingNo: number) {
  return db
    .selectFrom('visit_changes')
    .select(['by_kind', 'reason', 'note', 'refund_minor', 'kept_minor'])
    .where('booking_no', '=', bookingNo)
    .where('what', '=', 'cancelled')
    .executeTakeFirst()
}

export type CancellationRow = Awaited<ReturnType<typeof findCancellation>>

/** Blanks the notes on changes that an erased account's owner wrote, and those on their visits as patient. */
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

type NewTime = {
  placeNo: number
  start: Instant
  end: Instant
  timeZone: string
  wallAt: WallClock
  freeUntil: Instant
  now: Instant
}

/**
 * Writes the new time of an upcoming visit, increments the calendar sequence and clears the arrival mark.
 * Undefined when there is no such visit.
 */
export function setMoved(db: Db, no: number, to: NewTime) {
  return db
    .updateTable('bookings')
    .set((eb) => ({
      place_no: to.placeNo,
      start_at: to.start,
      end_at: to.end,
      time_zone: to.timeZone,
      wall_at: to.wallAt,
      free_until: to.freeUntil,
      changed_at: to.now,
      arrived_at: null,
      sequence: eb('sequence', '+', 1),
    }))
    .where('no', '=', no)
    .where('state', '=', 'confirmed')
    .where('start_at', '>', to.now)
    .returning(['id', 'sequence'])
    .executeTakeFirst()
}

/** How often the patient has moved a visit themselves. */
export async function countOwnMoves(db: Db, bookingNo: number): Promise<number> {
  const { count } = await db
    .selectFrom('visit_changes')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('booking_no', '=', bookingNo)
    .where('what', '=', 'moved')
    .where('by_kind', '=', 'patient')
    .where('reason', 'is distinct from', REASON_PROPOSED)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The moves of some visits, earliest first. */
export async function listMoves(db: Db, bookingNos: readonly number[]) {
  if (bookingNos.length === 0) return []
  return db
    .selectFrom('visit_changes')
    .select(['booking_no', 'at', 'by_kind', 'by_id', 'from_at', 'to_at', 'note'])
    .where('booking_no', 'in', bookingNos)
    .where('what', '=', 'moved')
    .orderBy('no')
    .execute()
}

/** The move that gave a visit this sequence; undefined when there was none. */
export function findMove(db: Db, { bookingNo, sequence }: { bookingNo: number; sequence: number }) {
  return db
    .selectFrom('visit_changes')
    .select(['by_kind', 'reason', 'note', 'from_at'])
    .where('booking_no', '=', bookingNo)
    .where('what', '=', 'moved')
    .where('sequence', '=', sequence)
    .executeTakeFirst()
}

export type MoveRow = NonNullable<Awaited<ReturnType<typeof findMove>>>
