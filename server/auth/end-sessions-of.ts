import { endAccessTokens } from '#server/access-tokens/end-access-tokens.ts'
import type { Context, Tx } from '#server/context.ts'
import { endAllOf } from './session-store.ts'

/**
 * Ends every way into an account whose role has changed, in the transaction of the change: sessions and
 * tokens of scripts. Says how many sessions there were.
 */
export async function endSessionsOf(ctx: Context, tx: Tx, accountNo: number): Promise<number> {
  const now = ctx.now()
  await endAccessTokens(tx, accountNo, { reason: 'role', now })
  return endAllOf(tx.db, accountNo, { reason: 'role', now })
}
