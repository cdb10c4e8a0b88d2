import type { SignedIn, Tx } from '#server/context.ts'
import { showBankAccount } from './show-bank-account.ts'
import { getOwner, listOf } from './store.ts'

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
