import type { RefreshResponse, SetFirstPasswordInput } from '#contract/auth.ts'
import { enqueueEmail } from '#server/auth/emails.ts'
import { hashNewPassword } from '#server/auth/second-factor/step-up.ts'
import { openSession, setSessionCookies, tokensFor } from '#server/auth/sessions/open-session.ts'
import { endAllOf } from '#server/auth/sessions/session-store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { siteOf } from '#server/kernel/limits/network.ts'
import {
  type Account,
  getAccount,
  lockAccount,
  updateAccount,
  useFirstPassword,
} from './account-store.ts'

/**
 * Replaces the password a colleague typed with one only its owner knows, and begins a new session. Until then
 * the session opened with the first password allows nothing else.
 */
export async function setFirstPassword(
  ctx: SignedIn,
  input: SetFirstPasswordInput,
): Promise<RefreshResponse> {
  const account = await getAccount(ctx.database.db, ctx.session.accountNo)
  if (account.must_change_password === 0) throw new AppError('first_password_chosen')
  const { new_password: password } = input
  const findHash = () => Promise.resolve(account.password_hash)
  if (await ctx.passwords.verify(password, findHash, siteOf(ctx.network))) {
    const message = 'Choose a different password from the one you were given.'
    throw new AppError('invalid_input', {}, { issues: [{ path: 'new_password', message }] })
  }
  const hash = await hashNewPassword(ctx, password, {
    field: 'new_password',
    email: account.email,
  })
  const session = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    if (!(await lockAccount(tx.db, account.no, account.password_hash))) {
      throw new AppError('session_ended')
    }
    await updateAccount(tx.db, account.no, {
      password_hash: hash,
      must_change_password: 0,
      updated_at: now,
    })
    const sessions = await endAllOf(tx.db, account.no, { reason: 'password', now })
    await tx.audit.add({ action: 'password.chosen', entity: account.id, details: { sessions } })
    await enqueueEmail(ctx, tx, { kind: 'password_chosen', account })
    return openSession(ctx, tx, { account, proved: true })
  })
  setSessionCookies(ctx, session)
  return { status: true, ...tokensFor(ctx, session) }
}

/**
 * Lets a password that a colleague typed open one session. The refusal is returned, not thrown, like every
 * sign-in refusal, so that counted attempts are committed.
 */
export async function consumeFirstPassword(
  ctx: Context,
  tx: Tx,
  account: Account,
): Promise<'first_password_used' | null> {
  if (account.must_change_password === 0) return null
  if (await useFirstPassword(tx.db, account.no, ctx.now())) return null
  await tx.audit.add({
    action: 'session.refused',
    outcome: 'failed',
    entity: account.id,
    details: { kind: account.kind, code: 'first_password_used' },
  })
  return 'first_password_used'
}
