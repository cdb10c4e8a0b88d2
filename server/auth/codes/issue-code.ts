import { CODE_LENGTH, CODE_RESEND_MS, CODE_TTL_MS } from '#contract/auth.ts'
import type { Db } from '#db/engine.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findLastSent, findNewestCode, insertCode } from './link-store.ts'

/** Whose code it is and what it is bound to; it is valid for nothing else. */
export type CodeBinding = {
  account: { no: number; id: string }
  purpose: string
  object: string
}

/** The keyed hash under which a code is stored. */
export function issuedHash(ctx: Context, id: string, code: string): string {
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

type Bound = { accountNo: number; purpose: string; object: string }

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
