import type { BankAccounts } from '#contract/bank-accounts.ts'
import type { SignedIn } from '#server/context.ts'
import { showBankAccount } from './show-bank-account.ts'
import { getOwner, listOf } from './store.ts'

/** The viewer's accounts, masked. That they were looked at is written down. */
export async function listBankAccounts(ctx: SignedIn): Promise<BankAccounts> {
  const { db } = ctx.database
  const owner = await getOwner(db, ctx.session.accountNo)
  const rows = await listOf(db, owner.no)
  if (rows.length > 0) {
    const details = { accounts: rows.length }
    await ctx.record({ action: 'bank.viewed', entity: owner.id, details })
  }
  return { region: owner.region, accounts: rows.map((row) => showBankAccount(ctx, row, owner)) }
}
