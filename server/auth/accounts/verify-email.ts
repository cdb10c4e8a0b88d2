import type {
  ConfirmEmailInput,
  ConfirmEmailResponse,
  Done,
  ResendVerificationInput,
  VerifyEmailInput,
  VerifyEmailResponse,
} from '#contract/auth.ts'
import { isUniqueViolation } from '#db/failures.ts'
import { checkCodeIn, codeLockedError } from '#server/auth/codes/check-code.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import { issueCode } from '#server/auth/codes/issue-code.ts'
import { findLink, useLink, voidLinks } from '#server/auth/codes/link-store.ts'
import { enqueueDummyEmail, enqueueEmail, requestEmail } from '#server/auth/emails.ts'
import {
  type OpenedSession,
  openSession,
  setSessionCookies,
  tokensFor,
} from '#server/auth/sessions/open-session.ts'
import { readMe } from '#server/auth/sessions/read-session.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { countNetworkAttempt } from '#server/kernel/limits/attempts.ts'
import {
  type Account,
  findByEmail,
  getAccount,
  setProviderEmail,
  updateAccount,
} from './account-store.ts'

/** Marks an address as confirmed and voids the other links for it. */
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
  await enqueueEmail(ctx, tx, { kind: 'email_changed', account, to: account.email })
  await enqueueEmail(ctx, tx, { kind: 'email_changed', account, to: email })
  await tx.audit.add({
    action: 'account.email_changed',
    entity: account.id,
    actor: { kind: account.kind, id: account.id },
  })
}

/**
 * Whether this browser registered the account: it has the handle returned then. Signing in takes both the
 * handle and the email; either alone is not enough.
 */
async function hasRegisteredHere(
  ctx: Context,
  tx: Tx,
  { account, handle }: { account: Account; handle: string | undefined },
): Promise<boolean> {
  if (handle === undefined || account.suspended_at !== null) return false
  const hash = ctx.secrets.mac('link', handle)
  const pending = await findLink(tx.db, hash, { purposes: ['pending'], now: ctx.now() })
  return pending?.account_no === account.no
}

type VerifiedLink = {
  answer: VerifyEmailResponse
  accountNo: number
  session: OpenedSession | null
}

async function verifyLink(ctx: Context, tx: Tx, input: VerifyEmailInput): Promise<VerifiedLink> {
  const now = ctx.now()
  const hash = ctx.secrets.mac('link', input.token)
  const link = await findLink(tx.db, hash, { purposes: ['verify_email', 'change_email'], now })
  if (link === undefined || !(await useLink(tx.db, hash, now))) {
    throw new AppError('verify_link_invalid')
  }
  const account = await getAccount(tx.db, link.account_no)
  if (account.erased_at !== null) throw new AppError('verify_link_invalid')
  const isHere =
    link.email === null && (await hasRegisteredHere(ctx, tx, { account, handle: input.auth_token }))
  if (link.email === null) await verifyAddress(ctx, tx, account)
  else await changeAddress(ctx, tx, { account, email: link.email })
  return {
    answer: {
      status: true,
      user_type: account.kind === 'provider' ? 'provider' : 'patient',
      email: link.email ?? account.email,
    },
    accountNo: account.no,
    // The password may have been typed up to a day ago, so it does not count as a recent proof.
    session: isHere ? await openSession(ctx, tx, { account, proved: false }) : null,
  }
}

/**
 * The button of `/verify/{email_verify}`: confirms a new account or a new address. Signs in only the browser
 * that registered, not, for instance, a phone on which the email is read.
 */
export async function verifyEmail(
  ctx: Context,
  input: VerifyEmailInput,
): Promise<VerifyEmailResponse> {
  const { answer, accountNo, session } = await verifyLinkOnce(ctx, input)
  if (session === null) return answer
  setSessionCookies(ctx, session)
  const me = await readMe(ctx, ctx.database.db, { accountNo, steppedUpUntil: null })
  return { ...answer, me, ...tokensFor(ctx, session) }
}

async function verifyLinkOnce(ctx: Context, input: VerifyEmailInput): Promise<VerifiedLink> {
  try {
    return await ctx.transaction((tx) => verifyLink(ctx, tx, input))
  } catch (error) {
    // Another account took the new address meanwhile.
    if (isUniqueViolation(error)) throw new AppError('verify_link_invalid')
    throw error
  }
}

type Confirmed = { session: OpenedSession; accountNo: number }

/** Unknown handles consume the same attempts, so that they cannot be told from known ones. */
async function confirm(
  ctx: Context,
  tx: Tx,
  input: ConfirmEmailInput,
): Promise<Confirmed | 'wrong' | 'locked'> {
  await countNetworkAttempt(tx.attempts, 'pending_network', ctx.network)
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
 * Confirms an address with the code of the registration email, in the browser that registered, and signs it
 * in: it knew the password a moment ago and has now read the email.
 */
export async function confirmEmail(
  ctx: Context,
  input: ConfirmEmailInput,
): Promise<ConfirmEmailResponse> {
  let outcome: Confirmed | 'wrong' | 'locked'
  try {
    outcome = await ctx.transaction((tx) => confirm(ctx, tx, input))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
    throw codeLockedError(Number(error.details['retryAfterSeconds']))
  }
  if (outcome === 'locked') throw codeLockedError()
  if (outcome === 'wrong') return { status: false, me: null }
  setSessionCookies(ctx, outcome.session)
  const { accountNo, session } = outcome
  const me = await readMe(ctx, ctx.database.db, { accountNo, steppedUpUntil: null })
  return { status: true, me, ...tokensFor(ctx, session) }
}

/**
 * Enqueues the email that confirms an address: with a link, and for providers a code too. `next` is the path
 * the link leads to afterwards.
 */
export async function sendVerification(
  ctx: Context,
  tx: Tx,
  { account, next }: { account: Account; next?: string | undefined },
): Promise<void> {
  const token = await createLink(ctx, tx, { purpose: 'verify_email', accountNo: account.no })
  if (account.kind !== 'provider') {
    await enqueueEmail(ctx, tx, { kind: 'verify', account, secret: token, next })
    return
  }
  const { code } = await issueCode(ctx, tx, { account, purpose: 'email', object: '' })
  await enqueueEmail(ctx, tx, { kind: 'verify_provider', account, secret: `${token} ${code}` })
}

/** Sends the email again if the account exists; the response does not tell whether it does. */
export async function resendVerification(
  ctx: Context,
  input: ResendVerificationInput,
): Promise<Done> {
  const { email, user_type: kind, next } = input
  const emailRequest = { limit: 'verification', subject: `${kind} ${email}` } as const
  await requestEmail(ctx, emailRequest, async (tx) => {
    const account = await findByEmail(tx.db, kind, email)
    const waiting = account?.email_verified_at === null ? account : undefined
    if (waiting === undefined) await enqueueDummyEmail(ctx, tx)
    else await sendVerification(ctx, tx, { account: waiting, next })
    await tx.audit.add({
      action: 'account.verification_asked',
      ...(waiting === undefined ? {} : { entity: waiting.id }),
    })
  })
  return { status: true }
}
