import { CODE_RESEND_MS, CODE_TRIES, CODE_VERIFIED_MS } from '#contract/auth.ts'
import type { Db } from '#db/engine.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import { type CodeBinding, issuedHash } from './issue-code.ts'
import {
  countTry,
  findNewestCode,
  findVerifiedCode,
  listVerifiedCodes,
  setUsed,
  setVerified,
} from './link-store.ts'

type Verdict = 'right' | 'wrong' | 'locked'

async function judge(
  ctx: Context,
  tx: Tx,
  given: CodeBinding & { code: string },
): Promise<Verdict> {
  const { account, purpose, object, code } = given
  const bound = { accountNo: account.no, purpose, object }
  const newest = await findNewestCode(tx.db, bound)
  if (newest === undefined || newest.expires_at <= ctx.now()) return 'wrong'
  if (newest.verified_at !== null) return 'wrong'
  if (!(await countTry(tx.db, newest.id, CODE_TRIES))) {
    return newest.tries >= CODE_TRIES ? 'locked' : 'wrong'
  }
  if (!isSameSecret(newest.hash, issuedHash(ctx, newest.id, code))) return 'wrong'
  if (!(await setVerified(tx.db, newest.id, ctx.now()))) return 'wrong'
  await tx.attempts.giveBack('code_wrong', account.id)
  return 'right'
}

/**
 * Checks a code within a transaction that must commit whatever the verdict, because attempts are counted:
 * five per code, fifteen a day per account. `locked` means a new code is needed.
 */
export async function checkCodeIn(
  ctx: Context,
  tx: Tx,
  given: CodeBinding & { code: string },
): Promise<Verdict> {
  await tx.attempts.take('code_wrong', given.account.id)
  const verdict = await judge(ctx, tx, given)
  await tx.audit.add({
    action: verdict === 'right' ? 'code.verified' : 'code.refused',
    outcome: verdict === 'right' ? 'ok' : 'failed',
    entity: given.account.id,
    details: { purpose: given.purpose, verdict },
  })
  return verdict
}

/** The error for a code with too many wrong attempts. */
export function checkedTooOften(retryAfterSeconds = CODE_RESEND_MS / 1_000): AppError {
  return new AppError('code_locked', { retryAfterSeconds })
}

/**
 * Runs `checkCodeIn` in a new transaction: returns true or false, or throws `code_locked`. `onRight` does
 * what the correct code allows in the same transaction; when it throws, the code stays usable.
 */
export async function checkCode(
  ctx: Context,
  given: CodeBinding & { code: string },
  onRight?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  let verdict: Verdict
  try {
    verdict = await ctx.transaction(async (tx) => {
      const found = await checkCodeIn(ctx, tx, given)
      if (found === 'right') await onRight?.(tx)
      return found
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
    const details = { purpose: given.purpose, verdict: 'locked for the day' }
    const { account } = given
    await ctx.record({ action: 'code.refused', outcome: 'failed', entity: account.id, details })
    throw checkedTooOften(Number(error.details['retryAfterSeconds']))
  }
  if (verdict === 'locked') throw checkedTooOften()
  return verdict === 'right'
}

type Asked = { accountNo: number; purpose: string; object: string; now: number }

/**
 * Whether a code verified in the last thirty minutes is still unused: one requested for exactly this purpose
 * and object, or one of the legacy calls, which name no object.
 */
export async function hasVerifiedCode(db: Db, asked: Asked): Promise<boolean> {
  const { now, ...bound } = asked
  const codes = await listVerifiedCodes(db, { ...bound, since: now - CODE_VERIFIED_MS })
  return codes.length > 0
}

type Use = { accountNo: number; purpose: string; object: string; now: number }

/**
 * Uses up a code verified in the last thirty minutes, in the transaction of what it allows. False when there
 * is none: the caller must then refuse. Of concurrent calls exactly one gets true.
 */
export async function useVerifiedCode(tx: Tx, use: Use): Promise<boolean> {
  const code = await findVerifiedCode(tx.db, use, use.now - CODE_VERIFIED_MS)
  return code !== undefined && setUsed(tx.db, code.id, use.now)
}
