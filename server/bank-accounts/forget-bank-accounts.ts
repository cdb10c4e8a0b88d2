import type { Tx } from '#server/context.ts'
import { deleteAllOf } from './store.ts'

/** Forgets all accounts of a provider, in the transaction that erases them. */
export async function forgetBankAccounts(tx: Tx, providerNo: number): Promise<void> {
  await deleteAllOf(tx.db, providerNo)
}
