import {
  type CheckCodeInput,
  CODE_LENGTH,
  CODE_RESEND_MS,
  CODE_TTL_MS,
  CODE_VERIFIED_MS,
  MAX_CODE_ATTEMPTS,
  type SendCodeInput,
  type SendCodeResponse,
} from '#contract/auth-codes.ts'
import { toIso } from '#contract/base/time.ts'
import type { Db } from '#db/engine.ts'
import { getAccount } from '#server/auth/accounts/account-store.ts'
import { enqueueEmail } from '#server/auth/emails.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { maskedEmail } from '#server/kernel/email-address.ts'
import { AppError, isRateLimited } from '#server/kernel/errors.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import {
  type Bound,
  countAttempt,
  findLastSent,
  findNewestCode,
  findVerifiedCode,
  insertCode,
  listVerifiedCodes,
  setUsed,
  setVerified,
} from './link-store.ts'

function assertMaySendCode(ctx: SignedIn, purpose: string): void {
  if (purpose === 'booking' && ctx.session.kind !== 'patient') throw new AppError('forbidden')
}

/** Emails the viewer a code for a purpose and an object. */
export async function sendCode(ctx: SignedIn, input: SendCodeInput): Promise<SendCodeResponse> {
  assertMaySendCode(ctx, input.purpose)
  return ctx.transaction(async (tx) => {
    const account = await getAccount(tx.db, ctx.session.accountNo)
    const { code, resendAt } = await issueCode(ctx, tx, { account, ...input })
    const kind = input.purpose === 'booking' ? 'booking_code' : 'erase_code'
    await enqueueEmail(ctx, tx, { kind, account, secret: code })
    await tx.audit.add({ action: 'code.sent', details: { purpose: input.purpose } })
    return { email: maskedEmail(account.email), resendAt: toIso(resendAt) }
  })
}

/** Whether the viewer's code is right. */
export async function checkOwnCode(
  ctx: SignedIn,
  input: CheckCodeInput,
): Promise<{ status: boolean }> {
  assertMaySendCode(ctx, input.purpose)
  const account = { no: ctx.session.accountNo, id: ctx.session.userId }
  const { purpose, object, otp: code } = input
  return { status: await checkCode(ctx, { account, purpose, object, code }) }
}

/** Whose code it is, and the purpose and object it is bound to. */
type CodeBinding = {
  account: { no: number; id: string }
  purpose: string
  object: string
}

/** The keyed hash under which a code is stored. */
function issuedHash(ctx: Context, id: string, code: string): string {
  return ctx.secrets.mac('code', `${id} ${code}`)
}

/**
 * Creates a one-time code within a transaction; the caller emails it. A newer code replaces an older one.
 * Throws `rate_limited` within a minute of the last one, and beyond five an hour or ten a day.
 */
export async function issueCode(
  ctx: Context,
  tx: Tx,
  { account, purpose, object }: CodeBinding,
): Promise<{ code: string; resendAt: number }> {
  const now = ctx.now()
  // Count first: that makes concurrent requests wait for each other.
  await tx.attempts.take('code_hour', account.id)
  await tx.attempts.take('code_day', account.id)
  const last = await findLastSent(tx.db, account.no, purpose)
  if (last !== null && now - last < CODE_RESEND_MS) {
    const retryAfterSeconds = Math.ceil((last + CODE_RESEND_MS - now) / 1_000)
    throw new AppError('rate_limited', { retryAfterSeconds })
  }
  const id = ctx.newId('otp')
  const code = ctx.secrets.digits(CODE_LENGTH)
  await insertCode(tx.db, {
    id,
    account_no: account.no,
    purpose,
    object,
    hash: issuedHash(ctx, id, code),
    created_at: now,
    expires_at: now + CODE_TTL_MS,
    tries: 0,
    verified_at: null,
    used_at: null,
  })
  return { code, resendAt: now + CODE_RESEND_MS }
}

/** Whether a code for an object can still be entered, and when another one may be sent (null: now). */
export async function findSentCode(
  db: Db,
  bound: Bound,
  now: number,
): Promise<{ isSent: boolean; resendAt: number | null }> {
  const newest = await findNewestCode(db, bound)
  const last = await findLastSent(db, bound.accountNo, bound.purpose)
  const resendAt = last === null ? null : last + CODE_RESEND_MS
  return {
    isSent: newest !== undefined && newest.verified_at === null && newest.expires_at > now,
    resendAt: resendAt !== null && resendAt > now ? resendAt : null,
  }
}

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

/** Rethrows an error; the limit on an account's attempts as `code_locked`. */
export function rethrowAsLocked(error: unknown): never {
  if (!isRateLimited(error)) throw error
  throw codeLockedError(Number(error.details['retryAfterSeconds']))
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
    if (isRateLimited(error)) {
      const details = { purpose: attempt.purpose, verdict: 'locked for the day' }
      const { account } = attempt
      await ctx.record({ action: 'code.refused', outcome: 'failed', entity: account.id, details })
    }
    return rethrowAsLocked(error)
  }
  if (verdict === 'locked') throw codeLockedError()
  return verdict === 'right'
}

type VerifiedCode = Bound & { now: number }

/**
 * Whether a code verified in the last thirty minutes is still unused: one requested for exactly this purpose
 * and object, or one of the legacy calls, which name no object.
 */
export async function hasVerifiedCode(db: Db, query: VerifiedCode): Promise<boolean> {
  const { now, ...bound } = query
  const codes = await listVerifiedCodes(db, { ...bound, since: now - CODE_VERIFIED_MS })
  return codes.length > 0
}

/**
 * Uses up a code verified in the last thirty minutes, in the transaction of what it allows. False when there
 * is none: the caller must then refuse. Of concurrent calls exactly one gets true.
 */
export async function useVerifiedCode(tx: Tx, use: VerifiedCode): Promise<boolean> {
  const code = await findVerifiedCode(tx.db, use, use.now - CODE_VERIFIED_MS)
  return code !== undefined && setUsed(tx.db, code.id, use.now)
}
