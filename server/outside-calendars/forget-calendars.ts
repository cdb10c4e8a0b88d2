import type { Tx } from '#server/context.ts'
import { deleteCalendarsOf, listCalendars } from './store.ts'

/** Forgets the calendars of a provider who leaves, after their busy times, in the same transaction. */
export async function forgetOutside(tx: Tx, providerNo: number): Promise<void> {
  await deleteCalendarsOf(tx.db, providerNo)
}

/** A provider's calendars for them to take away; addresses are secrets that open them elsewhere. */
export async function exportOutside(
  tx: Tx,
  providerNo: number,
): Promise<Record<string, unknown>[]> {
  const rows = await listCalendars(tx.db, providerNo)
  return rows.map(({ name, host, skips_all_day, created_at, read_at, failing_since }) => {
    return { name, host, skips_all_day, created_at, read_at, failing_since_at: failing_since }
  })
}
