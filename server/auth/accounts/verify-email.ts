import type {
  ConfirmEmailAnswer,
  ConfirmEmailInput,
  Done,
  ResendVerificationInput,
  VerifyEmailAnswer,
  VerifyEmailInput,
} from '#contract/auth.ts'
import { isUniqueViolation } from '#db/failures.ts'
import { checkCodeIn, checkedTooOften } from '#server/auth/codes/check-code.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import { issueCode } from '#server/auth/codes/issue-code.ts'
import { findLink, useLink, voidLinks } from '#server/auth/codes/link-store.ts'
import { askForMail, writeEmail, writeNobody } from '#server/auth/emails.ts'
import {
  handOver,
  type OpenedSession,
  openSession,
  tokensFor,
} from '#server/auth/sessions/open-session.ts'
import { readMe } from '#server/auth/sessions/read-session.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { takeOfNetwork } from '#server/kernel/limits/attempts.ts'
import {
  type Account,
  findByEmail,
  getAccount,
  setProviderEmail,
  updateAccount,
} from './account-store.ts'

/** Marks an address as confirmed; the other links that would do so end. */
async function verifyAddress(ctx: Context, tx: Tx, account: Account): Promise<void> {
  const now = ctx.now()
  await updateAccount(tx.db, account.no, { email_verified_at: now, updated_at: now })
  await voidLinks(tx.db, account.no, { purposes: ['verify_email', 'pending'], now })
  await tx.audit.add({
    action: 'account.email_verified',
    entity: account.id,
    actor: { kind: account.kind, id: account.id },
  })
}

async function changeAddress(ctx: Context, tx: Tx, to: { account: Account; email: string }) {
  const { account, email } = to
  const now = ctx.now()
  await updateAccount(tx.db, account.no, { email, email_verified_at: now, updated_at: now })
  if (account.provider_no !== null) {
    await setProviderEmail(tx.db, account.provider_no, { email, now })
  }
  await voidLinks(tx.db, account.no, { purposes: ['change_email', 'reset_password'], now })
  await writeEmail(ctx, tx, { kind: 'email_changed', account, to: account.email })
  await writeEmail(ctx, tx, { kind: 'email_changed', account, to: email })
  await tx.audit.add({
    action: 'account.email_changed',
    entity: account.id,
    actor: { kind: account.kind, id: account.id },
  })
}

async function follow(ctx: Context, tx: Tx, token: string): Promise<VerifyEmailAnswer> {
  const now = ctx.now()
  const hash = ctx.secrets.mac('link', token)
  const link = await findLink(tx.db, hash, { purposes: ['verify_email', 'change_email'], now })
  if (link === undefined || !(await useLink(tx.db, hash, now))) {
    throw new AppError('verify_link_invalid')
  }
  const account = await getAccount(tx.db, link.account_no)
  if (account.erased_at !== null) throw new AppError('verify_link_invalid')
  if (link.email === null) await verifyAddress(ctx, tx, account)
  else await changeAddress(ctx, tx, { account, email: link.email })
  return {
    status: true,
    user_type: account.kind === 'provider' ? 'provider' : 'patient',
    email: link.email ?? account.email,
  }
}

/** What the button of `/verify/{email_verify}` does: confirms a new account, or a new address. */
export async function verifyEmail(
  ctx: Context,
  input: VerifyEmailInput,
): Promise<VerifyEmailAnswer> {
  try {
    return await ctx.transaction((tx) => follow(ctx, tx, input.token))
  } catch (error) {
    // Somebody registered the new address meanwhile; it is theirs.
    if (isUniqueViolation(error)) throw new AppError('verify_link_invalid')
    throw error
  }
}

type Confirmed = { session: OpenedSession; accountNo: number }

/** Handles that belong to nobody take the same tries, so that they cannot be told from others. */
async function confirm(
  ctx: Context,
  tx: Tx,
  input: ConfirmEmailInput,
): Promise<Confirmed | 'wrong' | 'locked'> {
  await takeOfNetwork(tx.attempts, 'pending_network', ctx.network)
  await tx.attempts.take('pending_code', input.auth_token)
  const hash = ctx.secrets.mac('link', input.auth_token)
  const link = await findLink(tx.db, hash, { purposes: ['pending'], now: ctx.now() })
  if (link === undefined) return 'wrong'
  const account = await getAccount(tx.db, link.account_no)
  const binding = { account, purpose: 'email', object: '', code: input.otp }
  const verdict = await checkCodeIn(ctx, tx, binding)
  if (verdict !== 'right') return verdict
  await verifyAddress(ctx, tx, account)
  const session = await openSession(ctx, tx, { account, proved: true })
  return { session, accountNo: account.no }
}

/**
 * Confirms an address with the code of the registration mail, in the browser that registered, which
 * is then signed in: it knew the password a moment ago and has read the mail now.
 */
export async function confirmEmail(
  ctx: Context,
  input: ConfirmEmailInput,
): Promise<ConfirmEmailAnswer> {
  let outcome: Confirmed | 'wrong' | 'locked'
  try {
    outcome = await ctx.transaction((tx) => confirm(ctx, tx, input))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
    throw checkedTooOften(Number(error.details['retryAfterSeconds']))
  }
  if (outcome === 'locked') throw checkedTooOften()
  if (outcome === 'wrong') return { status: false, me: null }
  handOver(ctx, outcome.session)
  const { accountNo, session } = outcome
  const me = await readMe(ctx, ctx.database.db, { accountNo, steppedUpUntil: null })
  return { status: true, me, ...tokensFor(ctx, session) }
}

/** Owes the mail that confirms an address: a link, and for providers a code beside it. */
export async function sendVerification(ctx: Context, tx: Tx, account: Account): Promise<void> {
  const token = await createLink(ctx, tx, { purpose: 'verify_email', accountNo: account.no })
  if (account.kind !== 'provider') {
    await writeEmail(ctx, tx, { kind: 'verify', account, secret: token })
    return
  }
  const { code } = await issueCode(ctx, tx, { account, purpose: 'email', object: '' })
  await writeEmail(ctx, tx, { kind: 'verify_provider', account, secret: `${token} ${code}` })
}

/** Sends the mail once more, if there is somebody to send it to; the answer does not say. */
export async function resendVerification(
  ctx: Context,
  input: ResendVerificationInput,
): Promise<Done> {
  const { email, user_type: kind } = input
  const asked = { limit: 'verification', subject: `${kind} ${email}` } as const
  await askForMail(ctx, asked, async (tx) => {
    const account = await findByEmail(tx.db, kind, email)
    const waiting = account?.email_verified_at === null ? account : undefined
    if (waiting === undefined) await writeNobody(ctx, tx)
    else await sendVerification(ctx, tx, waiting)
    await tx.audit.add({
      action: 'account.verification_asked',
      ...(waiting === undefined ? {} : { entity: waiting.id }),
    })
  })
  return { status: true }
}
