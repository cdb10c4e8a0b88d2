import type { SignedIn, Tx } from '#server/context.ts'
import { listAllOf } from './store.ts'

/** The viewer's tokens for them to take away, without what they are. */
export function exportAccessTokens(ctx: SignedIn, tx: Tx): Promise<Record<string, unknown>[]> {
  return listAllOf(tx.db, ctx.session.accountNo)
}
