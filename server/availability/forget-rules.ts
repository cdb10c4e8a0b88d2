import type { Context, Tx } from '#server/context.ts'
import { regenerateSlots } from './regenerate-slots.ts'
import { deleteRules } from './schedule-store.ts'

/** Forgets all hours, dates and absences of a provider who leaves; no more slots are made. */
export async function forgetRules(tx: Tx, providerNo: number): Promise<void> {
  await deleteRules(tx.db, providerNo, null)
}

type Place = { providerNo: number; providerId: string; placeNo: number }

/**
 * Forgets what was said about a place that is given up, and takes its free times off the offer. Visits
 * booked there stay. Within the caller's transaction, before the place itself goes.
 */
export async function forgetPlaceRules(ctx: Context, tx: Tx, place: Place): Promise<void> {
  await deleteRules(tx.db, place.providerNo, place.placeNo)
  await regenerateSlots(ctx, tx, { no: place.providerNo, id: place.providerId })
}
