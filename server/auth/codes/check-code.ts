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
 * Checks a code within a transaction that has to commit whatever the verdict, because tries are
 * counted: five for each code, fifteen a day for each account. `locked` means a new code is needed.
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

/** The refusal of a code that had its share of wrong tries. */
export function checkedTooOften(retryAfterSeconds = CODE_RESEND_MS / 1_000): AppError {
  return new AppError('code_locked', { retryAfterSeconds })
}

/**
 * As `checkCodeIn` in a transaction of its own: true, false, or `code_locked`. What the right code allows
 * may be done in that transaction by `onRight`; where it throws, the code is as good as before.
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
 * Whether a code of the last thirty minutes waits to be used for something: one asked for that very
 * thing, or one of the legacy calls, which name none.
 */
export async function hasVerifiedCode(db: Db, asked: Asked): Promise<boolean> {
  const { now, ...bound } = asked
  const codes = await listVerifiedCodes(db, { ...bound, since: now - CODE_VERIFIED_MS })
  return codes.length > 0
}

type Use = { accountNo: number; purpose: string; object: string; now: number }

/**
 * Uses up a code verified in the last thirty minutes, in the transaction of what it allows. False
 * when there is none: then the act must not happen. Of many at once exactly one gets true.
 */
export async function useVerifiedCode(tx: Tx, use: Use): Promise<boolean> {
  const code = await findVerifiedCode(tx.db, use, use.now - CODE_VERIFIED_MS)
  return code !== undefined && setUsed(tx.db, code.id, use.now)
}
