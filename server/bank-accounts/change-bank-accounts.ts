import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { getOwner, listOf, type Owner, type Row, takeTurns } from './store.ts'

/** What a change begins with: whose accounts these are, and all of them, the primary one first. */
export type Changing = { tx: Tx; owner: Owner; list: Row[] }

/**
 * Runs a change of the viewer's accounts in one transaction, one provider's changes after the other:
 * what `list` says stays true until the change is done.
 */
export async function changeBankAccounts<Answer>(
  ctx: SignedIn,
  work: (changing: Changing) => Promise<Answer>,
): Promise<Answer> {
  return ctx.transaction(async (tx) => {
    const owner = await getOwner(tx.db, ctx.session.accountNo)
    await takeTurns(tx.db, owner.no)
    await tx.attempts.take('bank_change', owner.user_id)
    return work({ tx, owner, list: await listOf(tx.db, owner.no) })
  })
}

/** One of the accounts by its id; somebody else's is as unknown as one that never was. */
export function pickOwn({ list }: Changing, id: string): Row {
  const row = list.find((one) => one.id === id)
  if (row === undefined) throw new AppError('bank_account_not_found')
  return row
}

/** Does a change and writes down when it was refused because the account is not the viewer's. */
export async function auditStrangers<Answer>(
  ctx: SignedIn,
  path: string,
  change: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof AppError && error.code === 'bank_account_not_found') {
      const details = { code: 'not_found' }
      await ctx.record({ action: 'call.denied', outcome: 'denied', entity: path, details })
    }
    throw error
  }
}
