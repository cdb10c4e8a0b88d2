import type { TokenEnd } from '#db/tables/access-tokens.ts'
import type { Services, Tx } from '#server/context.ts'
import { KEEP_MS } from './rules.ts'
import { deleteAllOf, deleteOld, endAll } from './store.ts'

/** Ends every token of an account, in the transaction that takes its other ways in; says how many. */
export function endAccessTokens(
  tx: Tx,
  accountNo: number,
  ending: { reason: TokenEnd; now: number },
): Promise<number> {
  return endAll(tx.db, accountNo, ending)
}

/** Forgets every token of an account, in the transaction that erases it. */
export async function forgetAccessTokens(tx: Tx, accountNo: number): Promise<void> {
  await deleteAllOf(tx.db, accountNo)
}

/** Forgets tokens a month after their end. */
export async function forgetOldAccessTokens({ database, now }: Services): Promise<void> {
  await deleteOld(database.db, now() - KEEP_MS)
}
