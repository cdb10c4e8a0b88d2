import type {
  CheckResetLinkInput,
  Done,
  ForgotPasswordInput,
  ResetPasswordInput,
  ResetPasswordResponse,
} from '#contract/auth.ts'
import { endAccessTokens } from '#server/access-tokens/manage-access-tokens.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import { findLink, useLink, voidLinks } from '#server/auth/codes/link-store.ts'
import { enqueueDummyEmail, enqueueEmail, requestEmail } from '#server/auth/emails.ts'
import { hashNewPassword } from '#server/auth/second-factor/step-up.ts'
import { endAllOf } from '#server/auth/sessions/session-store.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findByEmail, getAccount, updateAccount } from './account-store.ts'

/**
 * Emails a reset link, at most three an hour. The response is the same whether or not there is an account.
 */
export async function forgotPassword(ctx: Context, input: ForgotPasswordInput): Promise<Done> {
  const { email, userType: kind } = input
  const emailRequest = { limit: 'forgot_password', subject: `${kind} ${email}` } as const
  await requestEmail(ctx, emailRequest, async (tx) => {
    const account = await findByEmail(tx.db, kind, email)
    if (account === undefined) {
      await enqueueDummyEmail(ctx, tx)
    } else {
      const link = { purpose: 'reset_password', accountNo: account.no } as const
      const secret = await createLink(ctx, tx, link)
      await enqueueEmail(ctx, tx, { kind: 'reset', account, secret })
    }
    await tx.audit.add({
      action: 'password.reset_asked',
      ...(account === undefined ? {} : { entity: account.id }),
    })
  })
  return { status: true }
}

/** Refuses a reset link that was used, has expired or never existed; does not use it up. */
export async function checkResetLink(ctx: Context, input: CheckResetLinkInput): Promise<Done> {
  const token = ctx.secrets.mac('link', input.token)
  const criteria = { purposes: ['reset_password' as const], now: ctx.now() }
  const link = await findLink(ctx.database.db, token, criteria)
  if (link === undefined) throw new AppError('reset_link_invalid')
  return { status: true }
}

/**
 * Sets a new password through an emailed link and ends every session. It does not sign in, so it cannot
 * bypass a second factor; having read the email confirms the address.
 */
export async function resetPassword(
  ctx: Context,
  input: ResetPasswordInput,
): Promise<ResetPasswordResponse> {
  const token = ctx.secrets.mac('link', input.token)
  const criteria = { purposes: ['reset_password' as const], now: ctx.now() }
  // Check before hashing: a dead link is not worth the cost.
  const found = await findLink(ctx.database.db, token, criteria)
  if (found === undefined) throw new AppError('reset_link_invalid')
  const { email } = await getAccount(ctx.database.db, found.account_no)
  const hash = await hashNewPassword(ctx, input.new_password, {
    field: 'new_password',
    email,
  })
  const kind = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const link = await findLink(tx.db, token, { ...criteria, now })
    if (link === undefined || !(await useLink(tx.db, token, now))) {
      throw new AppError('reset_link_invalid')
    }
    const account = await getAccount(tx.db, link.account_no)
    await updateAccount(tx.db, account.no, {
      password_hash: hash,
      must_change_password: 0,
      email_verified_at: account.email_verified_at ?? now,
      updated_at: now,
    })
    // Includes a change of address begun by somebody else: the email about it says to reset the password.
    const purposes = ['reset_password', 'change_email', 'verify_email', 'pending'] as const
    await voidLinks(tx.db, account.no, { purposes: [...purposes], now })
    const sessions = await endAllOf(tx.db, account.no, { reason: 'password', now })
    const tokens = await endAccessTokens(tx, account.no, { reason: 'password', now })
    await tx.audit.add({
      action: 'password.reset',
      entity: account.id,
      details: { sessions, tokens },
      actor: { kind: account.kind, id: account.id },
    })
    await enqueueEmail(ctx, tx, { kind: 'password_changed', account })
    return account.kind
  })
  return { status: true, user_type: kind === 'provider' ? 'provider' : 'patient' }
}
