import type { ChangeEmailInput, ChangePasswordInput, Done } from '#contract/auth.ts'
import { endAccessTokens } from '#server/access-tokens/manage-access-tokens.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import { voidLinks } from '#server/auth/codes/link-store.ts'
import { tellOwner, writeEmail } from '#server/auth/emails.ts'
import { hashNewPassword, proveOwner, settleOwner } from '#server/auth/second-factor/step-up.ts'
import { handOver, openSession } from '#server/auth/sessions/open-session.ts'
import { endAllOf } from '#server/auth/sessions/session-store.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type Account,
  findByEmail,
  holdAccount,
  setTermsAccepted,
  updateAccount,
} from './account-store.ts'

/** What other rooms may change of an account: nothing one signs in with. */
type Change = {
  first_name?: string
  last_name?: string
  phone_number?: string
  date_of_birth?: string
  default_radius?: number
  profile_image?: string | null
}

/**
 * Changes what an account says about its person, in the transaction of the caller. Throws
 * `session_ended` when the account was erased meanwhile.
 */
export async function changeAccount(
  tx: Tx,
  accountNo: number,
  { now, ...change }: Change & { now: number },
): Promise<void> {
  // Erased while this was under way: nothing about the person may come back.
  if (!(await holdAccount(tx.db, accountNo))) throw new AppError('session_ended')
  await updateAccount(tx.db, accountNo, { ...change, updated_at: now })
}

/** Keeps that the terms were agreed to, by somebody who registered without being asked. */
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
 * Mails the new address, three times an hour at most, whichever accounts name it: whoever has it did not
 * ask for our mail. Beyond that nothing is said, as for an address that is taken.
 */
async function writeToNewAddress(
  ctx: SignedIn,
  tx: Tx,
  { account, email }: { account: Account; email: string },
): Promise<void> {
  const mayWrite = await tx.attempts.count('verification', `${account.kind} ${email}`)
  const taken = await findByEmail(tx.db, account.kind, email)
  if (taken !== undefined) {
    if (taken.no !== account.no) await tellOwner(ctx, tx, taken)
  } else if (mayWrite) {
    const link = { purpose: 'change_email', accountNo: account.no, email } as const
    const secret = await createLink(ctx, tx, link)
    await writeEmail(ctx, tx, { kind: 'confirm_address', account, secret, to: email })
  }
}

/**
 * Begins the change of an address: it happens when the link mailed to the new one is followed. The
 * old address learns of it at once. A taken address gets the same answer, and its owner a mail.
 */
export async function changeEmail(ctx: SignedIn, input: ChangeEmailInput): Promise<Done> {
  const account = await proveOwner(ctx, input.password)
  await ctx.transaction(async (tx) => {
    await settleOwner(ctx, tx, account)
    await tx.attempts.take('verification', `change ${account.id}`)
    await writeToNewAddress(ctx, tx, { account, email: input.email })
    await writeEmail(ctx, tx, { kind: 'address_change_asked', account })
    await tx.audit.add({ action: 'account.email_change_asked', entity: account.id })
  })
  return { status: true }
}

/** Changes the password, ends every session and begins a new one here: old tokens are dead. */
export async function changePassword(ctx: SignedIn, input: ChangePasswordInput): Promise<Done> {
  const account = await proveOwner(ctx, input.current_password)
  const hash = await hashNewPassword(ctx, input.new_password, {
    field: 'new_password',
    email: account.email,
  })
  const session = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    await settleOwner(ctx, tx, account)
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
    await writeEmail(ctx, tx, { kind: 'password_changed', account })
    return openSession(ctx, tx, { account, proved: true })
  })
  handOver(ctx, session)
  return { status: true }
}
