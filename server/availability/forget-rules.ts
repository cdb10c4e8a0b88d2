import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { deleteFreeSlotsAt } from './fill-store.ts'
import { regenerateSlots } from './regenerate-slots.ts'
import { deleteRules } from './schedule-store.ts'

/** Forgets all hours, dates and absences of a provider who leaves; no more slots are made. */
export async function forgetRules(db: Db, providerNo: number): Promise<void> {
  await deleteRules(db, providerNo, null)
}

type Place = { providerNo: number; placeNo: number }

/**
 * Forgets what was said about a place that is given up, and takes its free times off the offer. Visits
 * booked there stay. Within the caller's transaction, who tells the search.
 */
export async function forgetPlaceRules(
  db: Db,
  { providerNo, placeNo }: Place,
  now: Instant,
): Promise<void> {
  await deleteRules(db, providerNo, placeNo)
  await deleteFreeSlotsAt(db, providerNo, placeNo)
  await regenerateSlots(db, providerNo, now)
}
