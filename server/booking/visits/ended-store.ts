import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

/** Calls a visit off that has not begun, and counts the change for calendars; null when there is none. */
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

/** Locks a booking whose time was given back until the transaction ends; undefined when it was not. */
export function lockReleased(db: Db, no: number) {
  return db
    .updateTable('bookings')
    .set({ state: 'released' })
    .where('no', '=', no)
    .where('state', '=', 'released')
    .returningAll()
    .executeTakeFirst()
}

/** Makes it a hold again. The caller has locked it and claimed its time. */
export async function setHeldAgain(db: Db, no: number): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ state: 'held', closed_at: null })
    .where('no', '=', no)
    .execute()
}
