import type { Tx } from '#server/context.ts'
import { deleteImportsOf, listImports } from './store.ts'

/** Forgets the imports of a provider who leaves, after their busy times, in the same transaction. */
export async function forgetImportsOf(tx: Tx, providerNo: number): Promise<void> {
  await deleteImportsOf(tx.db, providerNo)
}

/** A provider's imports for them to take away; their appointments are in a file of theirs. */
export async function exportImports(
  tx: Tx,
  providerNo: number,
): Promise<Record<string, unknown>[]> {
  const rows = await listImports(tx.db, providerNo)
  return rows.map(({ name, created_at, rows: appointments }) => ({
    name,
    created_at,
    appointments,
  }))
}
