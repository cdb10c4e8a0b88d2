import type { ChangeEmailInput, ChangePasswordInput, Done } from '#contract/auth.ts'
import { endAccessTokens } from '#server/access-tokens/manage-access-tokens.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import { voidLinks } from '#server/auth/codes/link-store.ts'
import { enqueueEmail, notifyOwner } from '#server/auth/emails.ts'
import {
  confirmOwnPassword,
  hashNewPassword,
  verifyOwnPassword,
} from '#server/auth/second-factor/step-up.ts'
import { openSession, setSessionCookies } from '#server/auth/sessions/open-session.ts'
import { endAllOf } from '#server/auth/sessions/session-store.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type Account,
  findByEmail,
  lockAccount,
  setTermsAccepted,
  updateAccount,
} from './account-store.ts'

/** What other feature modules may change in an account: nothing that is used to sign in. */
type Change = {
  first_name?: string
  last_name?: string
  phone_number?: string
  date_of_birth?: string
  default_radius?: number
  profile_image?: string | null
}

/**
 * Changes personal details of an account in the caller's transaction. Throws `session_ended` when the account
 * was erased meanwhile.
 */
export async function changeAccount(
  tx: Tx,
  accountNo: number,
  { now, ...change }: Change & { now: number },
): Promise<void> {
  // Erased concurrently: personal data must not be written back.
  if (!(await lockAccount(tx.db, accountNo))) throw new AppError('session_ended')
  await updateAccount(tx.db, accountNo, { ...change, updated_at: now })
}

/** Records that somebody who registered without being asked has accepted the terms. */
export async function acceptTerms(ctx: SignedIn): Promise<Done> {
  const { accountNo, userId } = ctx.session
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    if (!(await setTermsAccepted(tx.db, accountNo, now))) return
    await tx.audit.add({ action: 'account.terms_accepted', entity: userId })
  })
  return { status: true }
}

/**
 * Emails the new address, at most three times an hour across all accounts that name it, because its owner did
 * not ask for the email. Beyond that the response is unchanged, as for a taken address.
 */
async function emailNewAddress(
  ctx: SignedIn,
  tx: Tx,
  { account, email }: { account: Account; email: string },
): Promise<void> {
  const mayWrite = await tx.attempts.count('verification', `${account.kind} ${email}`)
  const taken = await findByEmail(tx.db, account.kind, email)
  if (taken !== undefined) {
    if (taken.no !== account.no) await notifyOwner(ctx, tx, taken)
  } else if (mayWrite) {
    const link = { purpose: 'change_email', accountNo: account.no, email } as const
    const secret = await createLink(ctx, tx, link)
    await enqueueEmail(ctx, tx, { kind: 'confirm_address', account, secret, to: email })
  }
}

/**
 * Begins a change of address, which takes effect when the link emailed to the new one is followed. The old
 * address is notified at once. A taken address gets the same response, and its owner an email.
 */
export async function changeEmail(ctx: SignedIn, input: ChangeEmailInput): Promise<Done> {
  const account = await verifyOwnPassword(ctx, input.password)
  await ctx.transaction(async (tx) => {
    await confirmOwnPassword(ctx, tx, account)
    await tx.attempts.take('verification', `change ${account.id}`)
    await emailNewAddress(ctx, tx, { account, email: input.email })
    await enqueueEmail(ctx, tx, { kind: 'address_change_asked', account })
    await tx.audit.add({ action: 'account.email_change_asked', entity: account.id })
  })
  return { status: true }
}

/** Changes the password, ends every session and begins a new one here, so that old tokens stop working. */
export async function changePassword(ctx: SignedIn, input: ChangePasswordInput): Promise<Done> {
  const account = await verifyOwnPassword(ctx, input.current_password)
  const hash = await hashNewPassword(ctx, input.new_password, {
    field: 'new_password',
    email: account.email,
  })
  const session = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    await confirmOwnPassword(ctx, tx, account)
    await updateAccount(tx.db, account.no, {
      password_hash: hash,
      must_change_password: 0,
      updated_at: now,
    })
    await voidLinks(tx.db, account.no, { purposes: ['reset_password', 'change_email'], now })
    const sessions = await endAllOf(tx.db, account.no, { reason: 'password', now })
    const tokens = await endAccessTokens(tx, account.no, { reason: 'password', now })
    await tx.audit.add({
      action: 'password.changed',
      entity: account.id,
      details: { sessions, tokens },
    })
    await enqueueEmail(ctx, tx, { kind: 'password_changed', account })
    return openSession(ctx, tx, { account, proved: true })
  })
  setSessionCookies(ctx, session)
  return { status: true }
}
