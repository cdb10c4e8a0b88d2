import type { RefreshAnswer, SetFirstPasswordInput } from '#contract/auth.ts'
import { writeEmail } from '#server/auth/emails.ts'
import { hashNewPassword } from '#server/auth/second-factor/step-up.ts'
import { handOver, openSession, tokensFor } from '#server/auth/sessions/open-session.ts'
import { endAllOf } from '#server/auth/sessions/session-store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { siteOf } from '#server/kernel/limits/network.ts'
import {
  type Account,
  getAccount,
  holdAccount,
  updateAccount,
  useFirstPassword,
} from './account-store.ts'

/**
 * Replaces the password a colleague typed by one only its owner knows, and begins a new session: until
 * then the one they came in with opens nothing.
 */
export async function setFirstPassword(
  ctx: SignedIn,
  input: SetFirstPasswordInput,
): Promise<RefreshAnswer> {
  const account = await getAccount(ctx.database.db, ctx.session.accountNo)
  if (account.must_change_password === 0) throw new AppError('first_password_chosen')
  const { new_password: password } = input
  const findHash = () => Promise.resolve(account.password_hash)
  if (await ctx.passwords.verify(password, findHash, siteOf(ctx.network))) {
    const message = 'Choose another one than the password you were given.'
    throw new AppError('invalid_input', {}, { issues: [{ path: 'new_password', message }] })
  }
  const hash = await hashNewPassword(ctx, password, {
    field: 'new_password',
    email: account.email,
  })
  const session = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    if (!(await holdAccount(tx.db, account.no, account.password_hash))) {
      throw new AppError('session_ended')
    }
    await updateAccount(tx.db, account.no, {
      password_hash: hash,
      must_change_password: 0,
      updated_at: now,
    })
    const sessions = await endAllOf(tx.db, account.no, { reason: 'password', now })
    await tx.audit.add({ action: 'password.chosen', entity: account.id, details: { sessions } })
    await writeEmail(ctx, tx, { kind: 'password_chosen', account })
    return openSession(ctx, tx, { account, proved: true })
  })
  handOver(ctx, session)
  return { status: true, ...tokensFor(ctx, session) }
}

/**
 * Lets a password that a colleague typed open one session. Returned and not thrown, as all refusals of
 * the sign-in are: what was counted has to be committed.
 */
export async function spendFirstPassword(
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
