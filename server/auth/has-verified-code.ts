import { CODE_VERIFIED_MS } from '#contract/auth.ts'
import type { Db } from '#db/engine.ts'
import { findVerifiedCode } from './link-store.ts'

type Asked = { accountNo: number; purpose: string; object: string; now: number }

/** Whether a code of the last thirty minutes waits to be used for something. */
export async function hasVerifiedCode(db: Db, asked: Asked): Promise<boolean> {
  return (await findVerifiedCode(db, asked, asked.now - CODE_VERIFIED_MS)) !== undefined
}
