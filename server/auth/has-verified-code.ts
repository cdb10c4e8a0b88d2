import { CODE_VERIFIED_MS } from '#contract/auth.ts'
import type { Db } from '#db/engine.ts'
import { listVerifiedCodes } from './link-store.ts'

type Asked = { accountNo: number; purpose: string; object: string; now: number }

/**
 * Whether a code of the last thirty minutes waits to be used for something: one asked for that very
 * thing, or one of the legacy calls, which name none.
 */
export async function hasVerifiedCode(db: Db, asked: Asked): Promise<boolean> {
  const { now, ...bound } = asked
  const codes = await listVerifiedCodes(db, { ...bound, since: now - CODE_VERIFIED_MS })
  return codes.length > 0
}
