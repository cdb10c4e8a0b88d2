import { PostgresAdapter } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

/**
 * Locks a patient's own hold by its id, if it is still held, so that requests about it from two tabs run one
 * after the other.
 */
export async function lockOwnHold(db: Db, id: string, patientNo: number): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ state: 'held' })
    .where('id', '=', id)
    .where('patient_no', '=', patientNo)
    .where('state', '=', 'held')
    .execute()
}

/**
 * Whether a booking's provider still takes bookings and its patient still has an account. On Postgres both
 * rows are locked until the transaction ends; SQLite has a single writer anyway.
 */
export async function lockParties(
  db: Db,
  no: number,
): Promise<{ isVerified: boolean; isErased: boolean }> {
  const query = db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select(['p.verification_status', 'a.erased_at'])
    .where('b.no', '=', no)
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const row = await (isPostgres ? query.forShare(['p', 'a']) : query).executeTakeFirstOrThrow()
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
        state: 'confirmed',
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
    .where('state', '=', 'held')
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Cancels a visit that has not begun, and increments the calendar sequence; null when there is none. */
export async function setCancelled(db: Db, no: number, now: Instant) {
  const row = await db
    .updateTable('bookings')
    .set((eb) => ({
      state: 'cancelled',
      closed_at: now,
      changed_at: now,
      sequence: eb('sequence', '+', 1),
    }))
    .where('no', '=', no)
    .where('state', '=', 'confirmed')
    .where('start_at', '>', now)
    .returning(['id', 'provider_no', 'start_at', 'end_at', 'sequence'])
    .executeTakeFirst()
  return row ?? null
}

/** Locks a released booking until the transaction ends; undefined when it is not released. */
export function lockReleased(db: Db, no: number) {
  return db
    .updateTable('bookings')
    .set({ state: 'released' })
    .where('no', '=', no)
    .where('state', '=', 'released')
    .returningAll()
    .executeTakeFirst()
}

/** Makes a released booking a hold again. The caller has locked it and claimed its time. */
export async function restoreHold(db: Db, no: number): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ state: 'held', closed_at: null })
    .where('no', '=', no)
    .execute()
}
