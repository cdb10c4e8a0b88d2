import type { Tx } from '#server/context.ts'
import { deleteByAddress } from './store.ts'

type Owner = { email: string; userId: string }

/** Deletes a person's messages and emails, in the transaction that erases their account. */
export async function forgetAddress(tx: Tx, owner: Owner): Promise<void> {
  await deleteByAddress(tx.db, owner)
}
