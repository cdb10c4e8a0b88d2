import { CODE_VERIFIED_MS } from '#contract/auth.ts'
import type { Tx } from '#server/context.ts'
import { findVerifiedCode, setUsed } from './link-store.ts'

type Use = { accountNo: number; purpose: string; object: string; now: number }

/**
 * Uses up a code verified in the last thirty minutes, in the transaction of what it allows. False
 * when there is none: then the act must not happen. Of many at once exactly one gets true.
 */
export async function useVerifiedCode(tx: Tx, use: Use): Promise<boolean> {
  const code = await findVerifiedCode(tx.db, use, use.now - CODE_VERIFIED_MS)
  return code !== undefined && setUsed(tx.db, code.id, use.now)
}
