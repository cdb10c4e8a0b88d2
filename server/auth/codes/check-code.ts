import { CODE_RESEND_MS, CODE_VERIFIED_MS, MAX_CODE_ATTEMPTS } from '#contract/auth.ts'
import type { Db } from '#db/engine.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import { type CodeBinding, issuedHash } from './issue-code.ts'
import {
  countAttempt,
  findNewestCode,
  findVerifiedCode,
  listVerifiedCodes,
  setUsed,
  setVerified,
} from './link-store.ts'

type Verdict = 'right' | 'wrong' | 'locked'

async function verifyCode(
  ctx: Context,
  tx: Tx,
  attempt: CodeBinding & { code: string },
): Promise<Verdict> {
  const { account, purpose, object, code } = attempt
  const bound = { accountNo: account.no, purpose, object }
  const newest = await findNewestCode(tx.db, bound)
  if (newest === undefined || newest.expires_at <= ctx.now()) return 'wrong'
  if (newest.verified_at !== null) return 'wrong'
  if (!(await countAttempt(tx.db, newest.id, MAX_CODE_ATTEMPTS))) {
    return newest.tries >= MAX_CODE_ATTEMPTS ? 'locked' : 'wrong'
  }
  if (!isSameSecret(newest.hash, issuedHash(ctx, newest.id, code))) return 'wrong'
  if (!(await setVerified(tx.db, newest.id, ctx.now()))) return 'wrong'
  await tx.attempts.uncount('code_wrong', account.id)
  return 'right'
}

/**
 * Checks a code within a transaction that must commit whatever the verdict, because attempts are counted:
 * five per code, fifteen a day per account. `locked` means a new code is needed.
 */
export async function checkCodeIn(
  ctx: Context,
  tx: Tx,
  attempt: CodeBinding & { code: string },
): Promise<Verdict> {
  await tx.attempts.take('code_wrong', attempt.account.id)
  const verdict = await verifyCode(ctx, tx, attempt)
  await tx.audit.add({
    action: verdict === 'right' ? 'code.verified' : 'code.refused',
    outcome: verdict === 'right' ? 'ok' : 'failed',
    entity: attempt.account.id,
    details: { purpose: attempt.purpose, verdict },
  })
  return verdict
}

/** The error for a code with too many wrong attempts. */
export function codeLockedError(retryAfterSeconds = CODE_RESEND_MS / 1_000): AppError {
  return new AppError('code_locked', { retryAfterSeconds })
}

/**
 * Runs `checkCodeIn` in a new transaction: returns true or false, or throws `code_locked`. `onCorrect` does
 * what the correct code allows in the same transaction; when it throws, the code stays usable.
 */
export async function checkCode(
  ctx: Context,
  attempt: CodeBinding & { code: string },
  onCorrect?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  let verdict: Verdict
  try {
    verdict = await ctx.transaction(async (tx) => {
      const found = await checkCodeIn(ctx, tx, attempt)
      if (found === 'right') await onCorrect?.(tx)
      return found
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
    const details = { purpose: attempt.purpose, verdict: 'locked for the day' }
    const { account } = attempt
    await ctx.record({ action: 'code.refused', outcome: 'failed', entity: account.id, details })
    throw codeLockedError(Number(error.details['retryAfterSeconds']))
  }
  if (verdict === 'locked') throw codeLockedError()
  return verdict === 'right'
}

type VerifiedCodeQuery = { accountNo: number; purpose: string; object: string; now: number }

/**
 * Whether a code verified in the last thirty minutes is still unused: one requested for exactly this purpose
 * and object, or one of the legacy calls, which name no object.
 */
export async function hasVerifiedCode(db: Db, query: VerifiedCodeQuery): Promise<boolean> {
  const { now, ...bound } = query
  const codes = await listVerifiedCodes(db, { ...bound, since: now - CODE_VERIFIED_MS })
  return codes.length > 0
}

type CodeUse = { accountNo: number; purpose: string; object: string; now: number }

/**
 * Uses up a code verified in the last thirty minutes, in the transaction of what it allows. False when there
 * is none: the caller must then refuse. Of concurrent calls exactly one gets true.
 */
export async function useVerifiedCode(tx: Tx, use: CodeUse): Promise<boolean> {
  const code = await findVerifiedCode(tx.db, use, use.now - CODE_VERIFIED_MS)
  return code !== undefined && setUsed(tx.db, code.id, use.now)
}
