import type {
  ChangeEmailInput,
  CheckResetLinkInput,
  RefreshResponse,
  ResetPasswordInput,
  ResetPasswordResponse,
} from '#contract/auth.ts'
import type { ChangePasswordInput, SetFirstPasswordInput } from '#contract/auth-passwords.ts'
import type { Done } from '#contract/base/done.ts'
import type { Db } from '#db/engine.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import { findLink, useLink } from '#server/auth/codes/link-store.ts'
import { enqueueDummyEmail, enqueueEmail, notifyOwner } from '#server/auth/emails.ts'
import {
  confirmOwnPassword,
  hashNewPassword,
  verifyOwnPassword,
} from '#server/auth/second-factor/step-up.ts'
import { endAccess } from '#server/auth/sessions/end-access.ts'
import { openSession, setSessionCookies, tokensFor } from '#server/auth/sessions/sessions.ts'
import {
  type Context,
  type Services,
  type SignedIn,
  systemContext,
  type Tx,
} from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { siteOf } from '#server/kernel/limits/network.ts'
import { erasedColumns } from '#server/kernel/personal-columns.ts'
import { accountFates } from './account-columns.ts'
import {
  type Account,
  findByEmail,
  getAccount,
  lockAccount,
  replaceRecoveryCodes,
  setTermsAccepted,
  updateAccount,
  useFirstPassword,
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
  } else if (!mayWrite) {
    await enqueueDummyEmail(ctx, tx, { kind: 'confirm_address', to: email })
  } else {
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
    // The old address by name: a late delivery would find the new one.
    await enqueueEmail(ctx, tx, { kind: 'address_change_asked', account, to: account.email })
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
    const ended = await endAccess(ctx, tx, { accountNo: account.no, event: 'password' })
    await tx.audit.add({ action: 'password.changed', entity: account.id, details: ended })
    await enqueueEmail(ctx, tx, { kind: 'password_changed', account })
    return openSession(ctx, tx, { account, proved: true })
  })
  setSessionCookies(ctx, session)
  return { status: true }
}

/** A reset link by its hash; refuses one that was used, has expired or never existed. */
async function getResetLink(ctx: Context, db: Db, hash: string) {
  const link = await findLink(db, hash, { purposes: ['reset_password'], now: ctx.now() })
  if (link === undefined) throw new AppError('reset_link_invalid')
  return link
}

/** Refuses a reset link that does not work; does not use it up. */
export async function checkResetLink(ctx: Context, input: CheckResetLinkInput): Promise<Done> {
  await getResetLink(ctx, ctx.database.db, ctx.secrets.mac('link', input.token))
  return { status: true }
}

/**
 * Sets a new password through an emailed link and ends every session. It does not sign in, so it cannot bypass a second
 * factor; using the link confirms the address.
 */
export async function resetPassword(
  ctx: Context,
  input: ResetPasswordInput,
): Promise<ResetPasswordResponse> {
  const token = ctx.secrets.mac('link', input.token)
  // Check before hashing, which is expensive.
  const found = await getResetLink(ctx, ctx.database.db, token)
  const { email } = await getAccount(ctx.database.db, found.account_no)
  const hash = await hashNewPassword(ctx, input.new_password, {
    field: 'new_password',
    email,
  })
  const kind = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const link = await getResetLink(ctx, tx.db, token)
    if (!(await useLink(tx.db, token, now))) throw new AppError('reset_link_invalid')
    const account = await getAccount(tx.db, link.account_no)
    await updateAccount(tx.db, account.no, {
      password_hash: hash,
      must_change_password: 0,
      email_verified_at: account.email_verified_at ?? now,
      updated_at: now,
    })
    // Includes a change of address begun by somebody else: the email about it says to reset the password.
    const ended = await endAccess(ctx, tx, { accountNo: account.no, event: 'password' })
    await tx.audit.add({
      action: 'password.reset',
      entity: account.id,
      details: ended,
      actor: { kind: account.kind, id: account.id },
    })
    await enqueueEmail(ctx, tx, { kind: 'password_changed', account })
    return account.kind
  })
  return { status: true, user_type: kind === 'provider' ? 'provider' : 'patient' }
}

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
    const ended = await endAccess(ctx, tx, { accountNo: account.no, event: 'first_password' })
    await tx.audit.add({ action: 'password.chosen', entity: account.id, details: ended })
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

/**
 * Restores access for a superuser who has lost both password and second factor: sets a first password, which
 * opens one session, removes the authenticator app and its recovery codes, and ends every session. For
 * operators of the server. Returns the password, or null when no superuser has the address.
 */
export async function recoverSuperuser(services: Services, email: string): Promise<string | null> {
  const ctx = systemContext(services, 'recover')
  const password = services.secrets.token()
  const hash = await services.passwords.hash(password)
  return ctx.transaction(async (tx) => {
    const account = await findByEmail(tx.db, 'staff', email.trim().toLowerCase())
    if (account?.role !== 'superuser') return null
    await updateAccount(tx.db, account.no, {
      password_hash: hash,
      must_change_password: 1,
      first_password_used_at: null,
      totp_secret: null,
      totp_pending: null,
      totp_confirmed_at: null,
      suspended_at: null,
      updated_at: ctx.now(),
    })
    await replaceRecoveryCodes(tx.db, account.no, [])
    // Whoever had the account may have begun to move it to an address of their own.
    const ended = await endAccess(ctx, tx, { accountNo: account.no, event: 'recovered' })
    const actor = { kind: 'system', id: null } as const
    await tx.audit.add({
      action: 'staff.recovered',
      entity: account.id,
      details: ended,
      actor,
    })
    await enqueueEmail(ctx, tx, { kind: 'password_changed', account })
    return password
  })
}

type ClosingAccount = { accountNo: number; kind: 'erased' | 'staff_removed' }

/**
 * Erases the personal data of an account within a transaction: every session ends, the address is free again,
 * and the row stays because other rows refer to it. Returns the account as it was, or null when it was
 * already closed.
 */
export async function closeAccountOf(
  ctx: Context,
  tx: Tx,
  { accountNo, kind }: ClosingAccount,
): Promise<Account | null> {
  if (!(await lockAccount(tx.db, accountNo))) return null
  const account = await getAccount(tx.db, accountNo)
  await enqueueEmail(ctx, tx, { kind, account, to: account.email })
  const now = ctx.now()
  const erased = erasedColumns(accountFates, { ...account, now })
  await updateAccount(tx.db, account.no, { ...erased, updated_at: now })
  await replaceRecoveryCodes(tx.db, account.no, [])
  await endAccess(ctx, tx, { accountNo: account.no, event: 'erased' })
  return account
}

/** Closes the viewer's own account, as `closeAccountOf` does. */
export async function closeAccount(ctx: SignedIn, tx: Tx): Promise<Account> {
  const { accountNo } = ctx.session
  const account = await closeAccountOf(ctx, tx, { accountNo, kind: 'erased' })
  if (account === null) throw new AppError('session_ended')
  return account
}
