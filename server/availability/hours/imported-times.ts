import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { deleteBusyByKey, deleteImportedBusy, deleteOldImported, insertBusy } from './busy-store.ts'
import type { BusySpan } from './busy-times.ts'

/** An appointment made elsewhere: `key` identifies it, `label` is encrypted. */
export type ImportedTime = BusySpan & { key: string; label: string | null }

type Import = { providerNo: number; importId: string }

/**
 * Blocks the time of imported appointments, replacing those with the same key; returns how many were
 * replaced. The provider must be locked. Runs in the caller's transaction; the caller updates the search.
 */
export async function writeImportedTimes(
  db: Db,
  { providerNo, importId }: Import,
  { times, now }: { times: readonly ImportedTime[]; now: Instant },
): Promise<number> {
  if (times.length === 0) return 0
  const keys = times.map(({ key }) => key)
  const known = await deleteBusyByKey(db, providerNo, keys)
  await insertBusy(
    db,
    times.map(({ key, start, end, label }) => ({
      provider_no: providerNo,
      source: 'import',
      calendar_id: null,
      import_id: importId,
      key,
      start_at: start,
      end_at: end,
      label,
    })),
  )
  await regenerateSlots(db, providerNo, now)
  return known
}

/** Deletes an import's blocked times. The provider must be locked. */
export async function removeImportedTimes(
  db: Db,
  { providerNo, importId }: Import,
  now: Instant,
): Promise<void> {
  await deleteImportedBusy(db, importId)
  await regenerateSlots(db, providerNo, now)
}

/** Deletes imported appointments that ended before an instant. */
export function forgetImportedTimes(db: Db, before: Instant): Promise<void> {
  return deleteOldImported(db, before)
}
