import type {
  Me,
  SignInInput,
  SignInResponse,
  SignInStaffInput,
  SignInStaffResponse,
} from '#contract/auth.ts'
import type { ErrorCode } from '#contract/base/errors.ts'
import { type Account, findByEmail, getAccount } from '#server/auth/accounts/account-store.ts'
import { consumeFirstPassword } from '#server/auth/accounts/accounts.ts'
import { type AccountKind, stepUpUntil } from '#server/auth/rules.ts'
import { checkSecondFactor } from '#server/auth/second-factor/second-factor.ts'
import { confirmPassword, verifyPassword } from '#server/auth/second-factor/step-up.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError, isRateLimited } from '#server/kernel/errors.ts'
import { readMe } from './read-session.ts'
import { type OpenedSession, openSession, setSessionCookies, tokensFor } from './sessions.ts'

type Credentials = {
  kind: AccountKind
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
 * Opens a session for a correct password. Unknown addresses and wrong passwords get the same response after
 * the same work.
 */
async function signInWith(ctx: Context, credentials: Credentials) {
  const { kind, email } = credentials
  let named: Account | undefined
  const find = async () => {
    named = await findByEmail(ctx.database.db, kind, email)
    return named
  }
  const account = await verifyPassword(ctx, credentials, find)
  if (account === null) {
    await ctx.record({
      action: 'session.refused',
      outcome: 'failed',
      details: { kind },
      ...(named === undefined ? {} : { entity: named.id }),
    })
    throw new AppError('credentials_wrong')
  }
  const { secondFactor } = credentials
  const outcome = await openOnce(ctx, { proved: account, secondFactor })
  if (typeof outcome === 'string') throw new AppError(outcome)
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

/** The documented user-login. `user_type` only selects the table; it grants nothing. */
export async function signIn(ctx: Context, input: SignInInput): Promise<SignInResponse> {
  const { account, session } = await signInWith(ctx, {
    kind: input.user_type,
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
  const claim = { kind: 'staff', email, password, secondFactor } as const
  const { account, session } = await signInWith(ctx, claim)
  const me = await meOf(ctx, account)
  return { status: true, user_id: session.userId, is_admin: true, me, ...tokensFor(ctx, session) }
}
