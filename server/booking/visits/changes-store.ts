import type { Insertable } from 'kysely'
import { visitLife } from '#contract/life-cycles/visit.ts'
import type { Instant, WallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isPostgres } from '#db/run-sql.ts'
import type { VisitChangeRow } from '#db/tables/booking.ts'
import { REASON_PROPOSED } from '#server/booking/rules.ts'

type Optional =
  | 'to_at'
  | 'from_zone'
  | 'to_zone'
  | 'reason'
  | 'note'
  | 'refund_minor'
  | 'kept_minor'

export type VisitChange = Required<Omit<Insertable<VisitChangeRow>, 'no' | Optional>> &
  Partial<Pick<Insertable<VisitChangeRow>, Optional>>

/** Records a change of a visit permanently, in the transaction that makes it. */
export async function insertChange(db: Db, change: VisitChange): Promise<void> {
  const none = {
    to_at: null,
    from_zone: null,
    to_zone: null,
    reason: null,
    note: null,
    refund_minor: null,
    kept_minor: null,
  }
  await db
    .insertInto('visit_changes')
    .values({ ...none, ...change })
    .execute()
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
    .where('state', 'in', visitLife.from('move'))
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
    .selectFrom('visit_changes as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .select(['c.booking_no', 'c.at', 'c.by_kind', 'c.from_at', 'c.to_at'])
    .select(({ fn }) => [
      fn.coalesce('c.from_zone', 'b.time_zone').as('from_zone'),
      fn.coalesce('c.to_zone', 'b.time_zone').as('to_zone'),
    ])
    .where('c.booking_no', 'in', bookingNos)
    .where('c.what', '=', 'moved')
    .orderBy('c.no')
    .execute()
}

/** The move that gave a visit this sequence; undefined when there was none. */
export function findMove(db: Db, { bookingNo, sequence }: { bookingNo: number; sequence: number }) {
  return db
    .selectFrom('visit_changes')
    .select(['by_kind', 'reason', 'note', 'from_at', 'from_zone'])
    .where('booking_no', '=', bookingNo)
    .where('what', '=', 'moved')
    .where('sequence', '=', sequence)
    .executeTakeFirst()
}

export type MoveRow = NonNullable<Awaited<ReturnType<typeof findMove>>>

/**
 * Whether a booking's provider still takes bookings and its patient still has an account. On Postgres both
 * rows are locked until the transaction ends; SQLite has a single writer anyway.
 */
export async function lockParties(
  db: Db,
  no: number,
): Promise<{ isVerified: boolean; isErased: boolean }> {
  const row = await db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select(['p.verification_status', 'a.erased_at'])
    .where('b.no', '=', no)
    .$if(isPostgres(db), (parties) => parties.forShare(['p', 'a']))
    .executeTakeFirstOrThrow()
  return { isVerified: row.verification_status === 'Verified', isErased: row.erased_at !== null }
}

/** Turns a held booking into a visit. The caller has locked it. */
export function setConfirmed(
  db: Db,
  no: number,
  by: { paymentNo: number; now: Instant; freeUntil: Instant },
): Promise<{ id: string }> {
  return db
    .updateTable('bookings')
    .set((eb) => {
      const paid = eb.selectFrom('payments').where('payments.no', '=', by.paymentNo)
      return {
        state: visitLife.to('confirm'),
        paid_by: by.paymentNo,
        confirmed_at: by.now,
        changed_at: by.now,
        free_until: by.freeUntil,
        held_from: null,
        // The type that was paid for, not what another tab has chosen since.
        visit_type: paid.select('payments.visit_type').$asScalar().$notNull(),
        follow_up_basis: paid.select('payments.follow_up_basis').$asScalar(),
        payment_method: paid.select('payments.gateway').$asScalar().$notNull(),
      }
    })
    .where('no', '=', no)
    .where('state', 'in', visitLife.from('confirm'))
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Cancels a visit that has not begun, and increments the calendar sequence; null when there is none. */
export async function setCancelled(db: Db, no: number, now: Instant) {
  const row = await db
    .updateTable('bookings')
    .set((eb) => ({
      state: visitLife.to('cancel'),
      closed_at: now,
      changed_at: now,
      sequence: eb('sequence', '+', 1),
    }))
    .where('no', '=', no)
    .where('state', 'in', visitLife.from('cancel'))
    .where('start_at', '>', now)
    .returning(['id', 'provider_no', 'start_at', 'end_at', 'sequence'])
    .executeTakeFirst()
  return row ?? null
}
