import type { RegisterPatientInput, RegisterResponse } from '#contract/auth.ts'
import { DEFAULT_RADIUS } from '#contract/search.ts'
import type { StaffRole } from '#contract/staff.ts'
import { isUniqueViolation } from '#db/failures.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import { notifyOwner } from '#server/auth/emails.ts'
import { assertBirthday } from '#server/auth/rules.ts'
import { hashNewPassword } from '#server/auth/second-factor/step-up.ts'
import type { Context, Tx } from '#server/context.ts'
import { countNetworkAttempt } from '#server/kernel/limits/attempts.ts'
import { consumeCaptcha } from '#server/kernel/security/captcha.ts'
import { type Account, findByEmail, getAccount, insertAccount } from './account-store.ts'
import { sendVerification } from './verify-email.ts'

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
