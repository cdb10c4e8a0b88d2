import type { SignedIn, Tx } from '#server/context.ts'
import { showBankAccount } from './change-bank-accounts.ts'
import { deleteAllOf, getOwner, listOf } from './store.ts'

/** Forgets all accounts of a provider, in the transaction that erases them. */
export async function forgetBankAccounts(tx: Tx, providerNo: number): Promise<void> {
  await deleteAllOf(tx.db, providerNo)
}

/** The viewer's accounts for them to take away, masked there as everywhere. */
export async function exportBankAccounts(
  ctx: SignedIn,
  tx: Tx,
): Promise<Record<string, unknown>[]> {
  const owner = await getOwner(tx.db, ctx.session.accountNo)
  const rows = await listOf(tx.db, owner.no)
  return rows.map((row) => {
    const { version: _, ...shown } = showBankAccount(ctx, row, owner)
    return shown
  })
}
