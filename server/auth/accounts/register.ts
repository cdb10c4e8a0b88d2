import type {
  ConfirmEmailInput,
  ConfirmEmailResponse,
  RegisterPatientInput,
  RegisterResponse,
  ResendVerificationInput,
  VerifyEmailInput,
  VerifyEmailResponse,
} from '#contract/auth.ts'
import type { Done } from '#contract/base/done.ts'
import type { StaffRole } from '#contract/base/staff.ts'
import { DEFAULT_RADIUS } from '#contract/search.ts'
import { isUniqueViolation } from '#db/failures.ts'
import {
  checkCodeIn,
  codeLockedError,
  issueCode,
  rethrowAsLocked,
} from '#server/auth/codes/codes.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import { findLink, useLink, voidLinks } from '#server/auth/codes/link-store.ts'
import { enqueueDummyEmail, enqueueEmail, notifyOwner, requestEmail } from '#server/auth/emails.ts'
import { assertBirthday } from '#server/auth/rules.ts'
import { hashNewPassword } from '#server/auth/second-factor/step-up.ts'
import { endAccess } from '#server/auth/sessions/end-access.ts'
import { readMe } from '#server/auth/sessions/read-session.ts'
import {
  type OpenedSession,
  openSession,
  setSessionCookies,
  tokensFor,
} from '#server/auth/sessions/sessions.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError, isRateLimited } from '#server/kernel/errors.ts'
import { countNetworkAttempt } from '#server/kernel/limits/attempts.ts'
import { consumeCaptcha } from '#server/kernel/security/captcha.ts'
import { keepMessages } from '#server/messages/send-email.ts'
import {
  type Account,
  findByEmail,
  getAccount,
  insertAccount,
  setProviderEmail,
  updateAccount,
} from './account-store.ts'

/** An account to be registered. `attach` inserts the provider that belongs to it and returns its number. */
export type NewAccount = {
  kind: 'patient' | 'provider'
  email: string
  password: string
  first_name: string
  last_name: string
  phone_number: string
  date_of_birth: string | null
  default_radius: number
  captchaValue: string | undefined
  hasAcceptedTerms: boolean
  /** Path the email's link leads to afterwards. */
  next?: string | undefined
  attach?: (tx: Tx) => Promise<number>
}

async function insertNew(ctx: Context, tx: Tx, made: { opening: NewAccount; hash: string }) {
  const { opening, hash } = made
  const now = ctx.now()
  const providerNo = opening.attach === undefined ? null : await opening.attach(tx)
  const no = await insertAccount(tx.db, {
    id: ctx.newId('usr'),
    kind: opening.kind,
    email: opening.email,
    password_hash: hash,
    first_name: opening.first_name,
    last_name: opening.last_name,
    phone_number: opening.phone_number,
    date_of_birth: opening.date_of_birth,
    provider_no: providerNo,
    totp_last_step: 0,
    must_change_password: 0,
    default_radius: opening.default_radius,
    terms_accepted_at: opening.hasAcceptedTerms ? now : 0,
    created_at: now,
    updated_at: now,
  })
  const account = await getAccount(tx.db, no)
  const actor = { kind: opening.kind, id: account.id }
  await tx.audit.add({ action: 'account.registered', entity: account.id, actor })
  await sendVerification(ctx, tx, { account, next: opening.next })
  return createLink(ctx, tx, { purpose: 'pending', accountNo: no })
}

/** Handles registration with a known address: only its owner is told. */
async function registerAgain(ctx: Context, tx: Tx, account: Account): Promise<string> {
  await notifyOwner(ctx, tx, account)
  await tx.audit.add({ action: 'account.registered_again', outcome: 'failed', entity: account.id })
  return ctx.secrets.token()
}

function write(ctx: Context, opening: NewAccount, hash: string): Promise<string> {
  return ctx.transaction(async (tx) => {
    const known = await findByEmail(tx.db, opening.kind, opening.email)
    if (known === undefined) return insertNew(ctx, tx, { opening, hash })
    return registerAgain(ctx, tx, known)
  })
}

/**
 * Registers an account that cannot be used until its address is confirmed. A known address gets the same
 * response after the same work, and its account is left unchanged.
 */
export async function openAccount(ctx: Context, opening: NewAccount): Promise<RegisterResponse> {
  await consumeCaptcha(ctx, opening.captchaValue)
  await ctx.transaction((tx) => countNetworkAttempt(tx.attempts, 'register', ctx.network))
  const hash = await hashNewPassword(ctx, opening.password, {
    field: 'password',
    email: opening.email,
  })
  try {
    return { status: true, auth_token: await write(ctx, opening, hash) }
  } catch (error) {
    // A concurrent registration won, so the address is known now.
    if (!isUniqueViolation(error)) throw error
    return { status: true, auth_token: await write(ctx, opening, hash) }
  }
}

/** The documented user-register. */
export async function registerPatient(
  ctx: Context,
  input: RegisterPatientInput,
): Promise<RegisterResponse> {
  assertBirthday(input.date_of_birth, { region: input.selectedRegion, now: ctx.now() })
  return openAccount(ctx, {
    kind: 'patient',
    email: input.email,
    password: input.password,
    first_name: input.first_name,
    last_name: input.last_name,
    phone_number: input.phone_number,
    date_of_birth: input.date_of_birth,
    default_radius: input.temp_distance ?? DEFAULT_RADIUS,
    captchaValue: input.captchaValue,
    hasAcceptedTerms: input.terms === true,
    next: input.next,
  })
}

type NewStaffAccount = {
  email: string
  role: StaffRole
  hash: string
  /** Somebody else knows the password: it opens one session, in which another is chosen. */
  isFirstPassword: boolean
}

/**
 * Creates a staff account within a transaction. The colleague who adds it vouches for the address, which is
 * all that is known of the person. A taken address is a unique violation.
 */
export async function openStaffAccount(
  ctx: Context,
  tx: Tx,
  opening: NewStaffAccount,
): Promise<Account> {
  const now = ctx.now()
  const no = await insertAccount(tx.db, {
    id: ctx.newId('usr'),
    kind: 'staff',
    email: opening.email,
    password_hash: opening.hash,
    first_name: '',
    last_name: '',
    phone_number: '',
    role: opening.role,
    email_verified_at: now,
    totp_last_step: 0,
    must_change_password: opening.isFirstPassword ? 1 : 0,
    default_radius: DEFAULT_RADIUS,
    terms_accepted_at: now,
    created_at: now,
    updated_at: now,
  })
  return getAccount(tx.db, no)
}

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
  await keepMessages(tx, { email: account.email, userId: account.id })
  await updateAccount(tx.db, account.no, { email, email_verified_at: now, updated_at: now })
  if (account.provider_no !== null) {
    await setProviderEmail(tx.db, account.provider_no, { email, now })
  }
  const ended = await endAccess(ctx, tx, { accountNo: account.no, event: 'email' })
  await enqueueEmail(ctx, tx, { kind: 'email_changed', account, to: account.email })
  await enqueueEmail(ctx, tx, { kind: 'email_changed', account, to: email })
  await tx.audit.add({
    action: 'account.email_changed',
    entity: account.id,
    details: ended,
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
      user_type: account.kind,
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
  const outcome = await ctx.transaction((tx) => confirm(ctx, tx, input)).catch(rethrowAsLocked)
  if (outcome === 'locked') throw codeLockedError()
  if (outcome === 'wrong') return { status: false, me: null }
  setSessionCookies(ctx, outcome.session)
  const { accountNo, session } = outcome
  const me = await readMe(ctx, ctx.database.db, { accountNo, steppedUpUntil: null })
  return { status: true, me, ...tokensFor(ctx, session) }
}

/**
 * Enqueues the email that confirms an address: with a link, and for providers a code too, if they may have one
 * now. `next` is the path the link leads to afterwards.
 */
async function sendVerification(
  ctx: Context,
  tx: Tx,
  { account, next }: { account: Account; next?: string | undefined },
): Promise<void> {
  const token = await createLink(ctx, tx, { purpose: 'verify_email', accountNo: account.no })
  const code = account.kind === 'provider' ? await newEmailCode(ctx, tx, account) : null
  if (code === null) {
    await enqueueEmail(ctx, tx, { kind: 'verify', account, secret: token, next })
    return
  }
  await enqueueEmail(ctx, tx, { kind: 'verify_provider', account, secret: `${token} ${code}` })
}

/**
 * A code that confirms a provider's address; null when it is too soon after the last one or there were too many, where
 * the link alone must do: the page has said that an email is on its way.
 */
async function newEmailCode(ctx: Context, tx: Tx, account: Account): Promise<string | null> {
  try {
    return (await issueCode(ctx, tx, { account, purpose: 'email', object: '' })).code
  } catch (error) {
    if (!isRateLimited(error)) throw error
    return null
  }
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
    if (waiting === undefined) await enqueueDummyEmail(ctx, tx, { kind: 'verify', to: email })
    else await sendVerification(ctx, tx, { account: waiting, next })
    await tx.audit.add({
      action: 'account.verification_asked',
      ...(waiting === undefined ? {} : { entity: waiting.id }),
    })
  })
  return { status: true }
}
