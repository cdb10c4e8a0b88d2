import type {
  ConfirmSecondFactorInput,
  RecoveryCodes,
  SecondFactorSetup,
} from '#contract/auth-second-factor.ts'
import type { Done } from '#contract/base/done.ts'
import type { ErrorCode } from '#contract/base/errors.ts'
import {
  type Account,
  advanceTotp,
  getAccount,
  replaceRecoveryCodes,
  updateAccount,
  useRecoveryCode,
} from '#server/auth/accounts/account-store.ts'
import { enqueueEmail } from '#server/auth/emails.ts'
import { endAccess } from '#server/auth/sessions/end-access.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { mustHaveSecondFactor } from '#server/kernel/demo-mode.ts'
import { AppError } from '#server/kernel/errors.ts'
import { randomText } from '#server/kernel/ids.ts'
import { acceptTotp, newTotpSecret, totpUri } from '#server/kernel/security/totp.ts'

/** Creates a secret for an authenticator app; it takes effect once one of its codes is confirmed. */
export async function beginSecondFactor(ctx: SignedIn): Promise<SecondFactorSetup> {
  const secret = newTotpSecret()
  const account = await ctx.transaction(async (tx) => {
    await updateAccount(tx.db, ctx.session.accountNo, {
      totp_pending: ctx.secrets.seal('totp', secret),
      updated_at: ctx.now(),
    })
    await tx.audit.add({ action: 'second_factor.begun' })
    return getAccount(tx.db, ctx.session.accountNo)
  })
  return { secret, uri: totpUri(secret, account.email) }
}

const RECOVERY_CODES = 10

function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => `${randomText(5)}-${randomText(5)}`)
}

/** Null for a wrong code; the counted attempt and its audit row must be committed. */
async function confirm(ctx: SignedIn, tx: Tx, code: string): Promise<string[] | null> {
  const now = ctx.now()
  // Count first: that makes concurrent requests wait for each other, so that only one hands out recovery codes.
  await tx.attempts.take('second_factor', ctx.session.userId)
  const account = await getAccount(tx.db, ctx.session.accountNo)
  if (account.totp_pending === null) return null
  const secret = ctx.secrets.open('totp', account.totp_pending)
  const step = acceptTotp(secret, code, { now, lastStep: 0 })
  if (step === null) {
    await tx.audit.add({ action: 'second_factor.refused', outcome: 'failed' })
    return null
  }
  await tx.attempts.uncount('second_factor', account.id)
  await updateAccount(tx.db, account.no, {
    totp_secret: account.totp_pending,
    totp_pending: null,
    totp_confirmed_at: now,
    totp_last_step: step,
    updated_at: now,
  })
  const codes = newRecoveryCodes()
  const hashes = codes.map((one) => recoveryHash(ctx, account.no, one))
  await replaceRecoveryCodes(tx.db, account.no, hashes)
  const ended = await endAccess(ctx, tx, { accountNo: account.no, event: 'second_factor' })
  await tx.audit.add({ action: 'second_factor.set', details: ended })
  await enqueueEmail(ctx, tx, { kind: 'second_factor_on', account })
  return codes
}

/** Turns the second factor on with a first code of the app, and hands out recovery codes once. */
export async function confirmSecondFactor(
  ctx: SignedIn,
  input: ConfirmSecondFactorInput,
): Promise<RecoveryCodes> {
  const codes = await ctx.transaction((tx) => confirm(ctx, tx, input.code))
  if (codes === null) throw new AppError('second_factor_wrong')
  return { recovery_codes: codes }
}

/** Turns the second factor off, where an account may be without one. */
export async function removeSecondFactor(ctx: SignedIn): Promise<Done> {
  if (mustHaveSecondFactor(ctx.config, ctx.session.kind)) {
    throw new AppError('second_factor_mandatory')
  }
  await ctx.transaction(async (tx) => {
    const account = await getAccount(tx.db, ctx.session.accountNo)
    if (account.totp_confirmed_at === null) return
    await updateAccount(tx.db, account.no, {
      totp_secret: null,
      totp_pending: null,
      totp_confirmed_at: null,
      updated_at: ctx.now(),
    })
    await replaceRecoveryCodes(tx.db, account.no, [])
    const ended = await endAccess(ctx, tx, { accountNo: account.no, event: 'second_factor' })
    await tx.audit.add({ action: 'second_factor.removed', details: ended })
    await enqueueEmail(ctx, tx, { kind: 'second_factor_off', account })
  })
  return { status: true }
}

async function checkAppCode(ctx: Context, tx: Tx, of: { account: Account; code: string }) {
  const { account, code } = of
  const secret = ctx.secrets.open('totp', account.totp_secret ?? '')
  const step = acceptTotp(secret, code, { now: ctx.now(), lastStep: account.totp_last_step })
  // Of concurrent requests with the same code only one advances the step.
  return step !== null && (await advanceTotp(tx.db, account.no, step))
}

/** The hash a recovery code is kept as; it may be typed without its dash. */
function recoveryHash(ctx: Context, accountNo: number, code: string): string {
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
