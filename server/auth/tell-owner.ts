import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Account } from './account-store.ts'
import { createLink } from './create-link.ts'
import { writeLetter } from './write-letter.ts'

/** Whether an owner may be written to once more; the refusal must reach nobody who asks. */
async function mayTell(tx: Tx, account: Account): Promise<boolean> {
  try {
    await tx.attempts.take('already_registered', account.id)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false
    throw error
  }
}

/** Tells the owner of an address that somebody wanted to use it, three times an hour at most. */
export async function tellOwner(ctx: Context, tx: Tx, account: Account): Promise<void> {
  if (!(await mayTell(tx, account))) return
  const secret = await createLink(ctx, tx, { purpose: 'reset_password', accountNo: account.no })
  await writeLetter(ctx, tx, { letter: 'already_registered', account, secret })
}
