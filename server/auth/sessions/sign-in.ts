import {
  type Me,
  type SignInInput,
  type SignInResponse,
  type SignInStaffInput,
  type SignInStaffResponse,
  USER_TYPES,
} from '#contract/auth.ts'
import type { ErrorCode } from '#contract/base/errors.ts'
import { type Account, findByEmail, getAccount } from '#server/auth/accounts/account-store.ts'
import { consumeFirstPassword } from '#server/auth/accounts/accounts.ts'
import { type AccountKind, stepUpUntil } from '#server/auth/rules.ts'
import { checkSecondFactor } from '#server/auth/second-factor/second-factor.ts'
import {
  confirmPassword,
  giveBackAttempt,
  verifyPasswords,
} from '#server/auth/second-factor/step-up.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError, isRateLimited } from '#server/kernel/errors.ts'
import { readMe } from './read-session.ts'
import { type OpenedSession, openSession, setSessionCookies, tokensFor } from './sessions.ts'

type Credentials = {
  /** Kinds of accounts that the form is for. */
  kinds: readonly [AccountKind, ...AccountKind[]]
  email: string
  password: string
  secondFactor: string | undefined
}

/** Why an account with a proved password still may not sign in, or null. */
function signInRefusal(account: Account): ErrorCode | null {
  if (account.suspended_at !== null) return 'account_suspended'
  return account.email_verified_at === null ? 'email_unverified' : null
}

type Attempt = { proved: Account; secondFactor: string | undefined }

/** Error codes are returned, not thrown, so that counted attempts are committed. */
async function openOrRefuse(
  ctx: Context,
  tx: Tx,
  attempt: Attempt,
): Promise<OpenedSession | ErrorCode> {
  const { proved, secondFactor } = attempt
  const isStillRight = await confirmPassword(ctx, tx, proved)
  const account = await getAccount(tx.db, proved.no)
  const refusal = isStillRight ? signInRefusal(account) : 'credentials_wrong'
  if (refusal !== null) {
    await tx.audit.add({
      action: 'session.refused',
      outcome: 'failed',
      entity: account.id,
      details: { kind: account.kind, code: refusal },
    })
    return refusal
  }
  const missing = await checkSecondFactor(ctx, tx, { account, given: secondFactor })
  if (missing !== null) return missing
  const refusedCode = await consumeFirstPassword(ctx, tx, account)
  return refusedCode ?? openSession(ctx, tx, { account, proved: true })
}

/**
 * Runs `openOrRefuse`. Beyond the limit of the second factor the password still was right: counted as wrong, it
 * would lock out the recovery codes as well.
 */
async function openOnce(ctx: Context, attempt: Attempt): Promise<OpenedSession | ErrorCode> {
  try {
    return await ctx.transaction((tx) => openOrRefuse(ctx, tx, attempt))
  } catch (error) {
    if (isRateLimited(error)) {
      const { proved } = attempt
      await ctx.transaction(async (tx) => {
        await confirmPassword(ctx, tx, proved)
        await tx.audit.add({
          action: 'second_factor.refused',
          outcome: 'failed',
          details: { verdict: 'locked' },
          actor: { kind: proved.kind, id: proved.id },
        })
      })
    }
    throw error
  }
}

/**
 * The account with this address and password. Unknown addresses and wrong passwords get the same response after the
 * same work. Where several accounts have both, throws `user_type_required`: only who knows the password learns of them.
 */
async function proveAccount(ctx: Context, credentials: Credentials): Promise<Account> {
  const { kinds, email, password } = credentials
  const claim = { kind: kinds[0], email, password }
  const named: Account[] = []
  const finds = kinds.map((kind) => async () => {
    const account = await findByEmail(ctx.database.db, kind, email)
    if (account !== undefined) named.push(account)
    return account
  })
  const [account, ...others] = await verifyPasswords(ctx, claim, finds)
  if (account === undefined) {
    await ctx.record({
      action: 'session.refused',
      outcome: 'failed',
      details: { kind: kinds.join(' or ') },
      ...(named[0] !== undefined && { entity: named[0].id }),
    })
    throw new AppError('credentials_wrong')
  }
  if (others.length > 0) {
    await giveBackAttempt(ctx, claim)
    throw new AppError('user_type_required')
  }
  return account
}

/** Opens a session for a correct password. */
async function signInWith(ctx: Context, credentials: Credentials) {
  const account = await proveAccount(ctx, credentials)
  const { secondFactor } = credentials
  const outcome = await openOnce(ctx, { proved: account, secondFactor })
  if (typeof outcome === 'string') throw refusalOf(outcome, account)
  setSessionCookies(ctx, outcome)
  return { account, session: outcome }
}

/** The account that has just signed in with a password, which counts as a step-up. */
function meOf(ctx: Context, account: Account): Promise<Me> {
  return readMe(ctx, ctx.database.db, {
    accountNo: account.no,
    steppedUpUntil: stepUpUntil(ctx.now()),
  })
}

/** A refusal after the right password. An address to be confirmed says whose, for the email to be sent again. */
function refusalOf(code: ErrorCode, { kind }: Account): AppError {
  return new AppError(code, code === 'email_unverified' ? { user_type: kind } : {})
}

/**
 * The documented user-login. `user_type` only selects the table; it grants nothing. Without it the password says which
 * of the address's accounts is meant.
 */
export async function signIn(ctx: Context, input: SignInInput): Promise<SignInResponse> {
  const { account, session } = await signInWith(ctx, {
    kinds: input.user_type === undefined ? USER_TYPES : [input.user_type],
    email: input.email,
    password: input.password,
    secondFactor: input.second_factor,
  })
  const me = await meOf(ctx, account)
  return {
    status: true,
    user_id: session.userId,
    is_admin: false,
    me,
    ...tokensFor(ctx, session),
  }
}

/** The documented admin-login: a sign-in for staff accounts only. */
export async function signInStaff(
  ctx: Context,
  input: SignInStaffInput,
): Promise<SignInStaffResponse> {
  const { email, password, second_factor: secondFactor } = input
  const credentials = { kinds: ['staff'], email, password, secondFactor } as const
  const { account, session } = await signInWith(ctx, credentials)
  const me = await meOf(ctx, account)
  return { status: true, user_id: session.userId, is_admin: true, me, ...tokensFor(ctx, session) }
}
