import type { Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { holdAccount, updateAccount } from './account-store.ts'

/** What other rooms may change of an account: nothing one signs in with. */
type Change = {
  first_name?: string
  last_name?: string
  phone_number?: string
  date_of_birth?: string
  default_radius?: number
  profile_image?: string | null
}

/**
 * Changes what an account says about its person, in the transaction of the caller. Throws
 * `session_ended` when the account was erased meanwhile.
 */
export async function changeAccount(
  tx: Tx,
  accountNo: number,
  { now, ...change }: Change & { now: number },
): Promise<void> {
  // Erased while this was under way: nothing about the person may come back.
  if (!(await holdAccount(tx.db, accountNo))) throw new AppError('session_ended')
  await updateAccount(tx.db, accountNo, { ...change, updated_at: now })
}
