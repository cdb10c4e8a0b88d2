import { sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import { fits } from '#db/consecutive-slots.ts'
import type { Db } from '#db/engine.ts'

/** A proposed time as stored. */
export type ProposedSlot = { start: Instant; placeNo: number }

type Proposal = { bookingNo: number; at: Instant; slots: readonly ProposedSlot[] }

/** Replaces the proposed times of a visit. */
export async function replaceProposal(db: Db, { bookingNo, at, slots }: Proposal): Promise<void> {
  await deleteProposal(db, { bookingNo })
  const rows = slots.map(({ start, placeNo }, position) => ({
    booking_no: bookingNo,
    position,
    start_at: start,
    place_no: placeNo,
    at,
  }))
  await db.insertInto('visit_proposals').values(rows).execute()
}

/** Deletes a visit's proposed times, or only those proposed at `at`. Returns how many there were. */
export async function deleteProposal(
  db: Db,
  { bookingNo, at }: { bookingNo: number; at?: Instant },
): Promise<number> {
  const query = db.deleteFrom('visit_proposals').where('booking_no', '=', bookingNo)
  const { numDeletedRows } = await (at === undefined
    ? query
    : query.where('at', '=', at)
  ).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Proposed times of some upcoming visits, as far as they are on offer and free. */
export async function listProposed(db: Db, bookingNos: readonly number[], now: Instant) {
  if (bookingNos.length === 0) return []
  return (
    db
      .selectFrom('visit_proposals as q')
      .innerJoin('bookings as b', 'b.no', 'q.booking_no')
      .innerJoin('slots as s', (join) =>
        join
          .onRef('s.provider_no', '=', 'b.provider_no')
          .onRef('s.start_at', '=', 'q.start_at')
          .onRef('s.place_no', '=', 'q.place_no'),
      )
      .innerJoin('places as l', 'l.no', 'q.place_no')
      .leftJoin('schedules as e', 'e.provider_no', 'b.provider_no')
      .select([
        'q.booking_no',
        'q.at',
        'q.start_at',
        'l.name as place_name',
        'l.time_zone',
        'e.notice_minutes',
      ])
      .where('q.booking_no', 'in', bookingNos)
      .where('b.state', '=', 'confirmed')
      .where('b.start_at', '>', now)
      .where('s.free', '=', sql.lit(1))
      // The visit keeps its length, so one slot may be too short.
      .where(fits('s', '((b.end_at - b.start_at) / 60000)', 'coalesce(e.buffer_minutes, 0)'))
      .orderBy('q.start_at')
      .execute()
  )
}

/** Whether any time is proposed for a visit, or this one is. */
export async function isProposed(
  db: Db,
  { bookingNo, slot }: { bookingNo: number; slot?: ProposedSlot },
): Promise<boolean> {
  const query = db
    .selectFrom('visit_proposals')
    .select('position')
    .where('booking_no', '=', bookingNo)
    .limit(1)
  const found =
    slot === undefined
      ? query
      : query.where('start_at', '=', slot.start).where('place_no', '=', slot.placeNo)
  return (await found.executeTakeFirst()) !== undefined
}

/** Notes sent with the proposals for some visits, oldest first. */
export async function listProposalNotes(db: Db, bookingNos: readonly number[]) {
  if (bookingNos.length === 0) return []
  return db
    .selectFrom('visit_changes')
    .select(['booking_no', 'note'])
    .where('booking_no', 'in', bookingNos)
    .where('what', '=', 'proposed')
    .orderBy('no')
    .execute()
}

/** When the patient of a visit declined proposed times, earliest first. */
export async function listDeclined(db: Db, bookingNo: number): Promise<Instant[]> {
  const rows = await db
    .selectFrom('visit_changes')
    .select('at')
    .where('booking_no', '=', bookingNo)
    .where('what', '=', 'kept')
    .orderBy('no')
    .execute()
  return rows.map(({ at }) => at)
}

/** How often times were proposed for a visit. */
export async function countProposals(db: Db, bookingNo: number): Promise<number> {
  const { count } = await db
    .selectFrom('visit_changes')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('booking_no', '=', bookingNo)
    .where('what', '=', 'proposed')
    .executeTakeFirstOrThrow()
  return Number(count)
}
