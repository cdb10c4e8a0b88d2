import type { ErrorCode } from '#contract/errors.ts'
import { type Account, advanceTotp, useRecoveryCode } from '#server/auth/accounts/account-store.ts'
import { enqueueEmail } from '#server/auth/emails.ts'
import type { Context, Tx } from '#server/context.ts'
import { acceptTotp } from '#server/kernel/security/totp.ts'

async function checkAppCode(ctx: Context, tx: Tx, of: { account: Account; code: string }) {
  const { account, code } = of
  const secret = ctx.secrets.open('totp', account.totp_secret ?? '')
  const step = acceptTotp(secret, code, { now: ctx.now(), lastStep: account.totp_last_step })
  // Of concurrent requests with the same code only one advances the step.
  return step !== null && (await advanceTotp(tx.db, account.no, step))
}

/** The hash a recovery code is kept as; it may be typed without its dash. */
export function recoveryHash(ctx: Context, accountNo: number, code: string): string {
  return ctx.secrets.mac('recovery', `${accountNo} ${code.replaceAll('-', '')}`)
}

async function checkRecoveryCode(ctx: Context, tx: Tx, of: { account: Account; code: string }) {
  const { account, code } = of
  const hash = recoveryHash(ctx, account.no, code)
  if (!(await useRecoveryCode(tx.db, account.no, { hash, now: ctx.now() }))) return false
  await tx.audit.add({
    action: 'second_factor.recovery_used',
    actor: { kind: account.kind, id: account.id },
  })
  await enqueueEmail(ctx, tx, { kind: 'recovery_used', account })
  return true
}

/**
 * Checks the second factor: returns the error code that stops the sign-in, or null. Wrong codes are counted
 * and the caller's transaction must commit for that, so only `rate_limited` is thrown.
 */
export async function checkSecondFactor(
  ctx: Context,
  tx: Tx,
  of: { account: Account; given: string | undefined },
): Promise<Extract<ErrorCode, 'second_factor_required' | 'second_factor_wrong'> | null> {
  const { account, given: attempt } = of
  if (account.totp_confirmed_at === null) return null
  if (attempt === undefined) return 'second_factor_required'
  const isOfApp = /^[0-9]{6}$/.test(attempt)
  // Counted separately: a recovery code must still work after too many wrong codes of the app.
  const limit = isOfApp ? 'second_factor' : 'recovery_code'
  await tx.attempts.take(limit, account.id)
  const check = isOfApp ? checkAppCode : checkRecoveryCode
  if (await check(ctx, tx, { account, code: attempt })) {
    await tx.attempts.uncount(limit, account.id)
    return null
  }
  await tx.audit.add({
    action: 'second_factor.refused',
    outcome: 'failed',
    actor: { kind: account.kind, id: account.id },
  })
  return 'second_factor_wrong'
}
