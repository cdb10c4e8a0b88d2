import type { StepUpInput, StepUpResponse } from '#contract/auth-second-factor.ts'
import { toIso } from '#contract/base/time.ts'
import { type Account, getAccount, lockAccount } from '#server/auth/accounts/account-store.ts'
import { type AccountKind, stepUpUntil } from '#server/auth/rules.ts'
import { setSteppedUp } from '#server/auth/sessions/session-store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError, isRateLimited } from '#server/kernel/errors.ts'
import { limitKeys, siteOf } from '#server/kernel/limits/network.ts'
import { refuseGuessablePassword } from '#server/kernel/security/passwords.ts'
import { checkSecondFactor } from './second-factor.ts'

async function markSteppedUp(ctx: SignedIn, tx: Tx): Promise<number> {
  const until = stepUpUntil(ctx.now())
  await setSteppedUp(tx.db, ctx.session.id, until)
  await tx.audit.add({ action: 'session.stepped_up', entity: ctx.session.id })
  return until
}

async function byPassword(ctx: SignedIn, password: string | undefined): Promise<number> {
  const account = await verifyOwnPassword(ctx, password ?? '')
  return ctx.transaction(async (tx) => {
    await confirmOwnPassword(ctx, tx, account)
    return markSteppedUp(ctx, tx)
  })
}

async function bySecondFactor(ctx: SignedIn, account: Account, given: string | undefined) {
  const outcome = await ctx.transaction(
    async (tx) =>
      (await checkSecondFactor(ctx, tx, { account, given })) ?? (await markSteppedUp(ctx, tx)),
  )
  if (typeof outcome === 'string') throw new AppError(outcome)
  return outcome
}

/** Proves the viewer's identity again: by the authenticator app if there is one, else by password. */
export async function stepUp(ctx: SignedIn, input: StepUpInput): Promise<StepUpResponse> {
  const account = await getAccount(ctx.database.db, ctx.session.accountNo)
  const until =
    account.totp_confirmed_at === null
      ? await byPassword(ctx, input.password)
      : await bySecondFactor(ctx, account, input.second_factor)
  return { stepped_up_until: toIso(until) }
}

/** The account a password is claimed to belong to; it may not exist. */
export type PasswordClaim = { kind: AccountKind; email: string; password: string }

type NamedAccount = Pick<PasswordClaim, 'kind' | 'email'>

/**
 * Rate limit key of an account, whether it exists or not. A patient's and a provider's account of one address share it, as
 * one sign-in may try both.
 */
function accountKey({ kind, email }: NamedAccount): string {
  return `${kind === 'staff' ? kind : 'user'} ${email}`
}

/** Rate limit key of an account and a network. */
function accountNetworkKey(ctx: Context, named: NamedAccount): string {
  return `${accountKey(named)} ${ctx.network}`
}

/**
 * Counts an attempt on one account from any network. Guesses from many networks slow each network down but
 * lock nobody out: a correct password gives its attempt back, and every network keeps one guess.
 */
async function countEverywhere(ctx: Context, tx: Tx, claim: PasswordClaim): Promise<void> {
  if (await tx.attempts.count('sign_in_everywhere', accountKey(claim))) return
  await tx.attempts.take('sign_in_slowed', accountNetworkKey(ctx, claim))
}

/** Counts an attempt of a network. An exhausted network is then refused for a while without a query. */
async function countNetwork(ctx: Context, tx: Tx): Promise<void> {
  for (const { key, share } of limitKeys(ctx.network)) {
    try {
      await tx.attempts.take('sign_in_network', key, share)
    } catch (error) {
      const seconds = error instanceof AppError ? error.details['retryAfterSeconds'] : undefined
      if (seconds !== undefined) ctx.limiter.markExhausted(key, Number(seconds))
      throw error
    }
  }
}

/**
 * Counts attempts before verifying the password, so that concurrent guesses count, and before waiting for a
 * hash, so that exhausted clients do not fill the queue.
 */
async function countAttempts(ctx: Context, claim: PasswordClaim): Promise<void> {
  const exhausted = limitKeys(ctx.network).map(({ key }) => ctx.limiter.exhaustedFor(key))
  const retryAfterSeconds = Math.max(...exhausted)
  if (retryAfterSeconds > 0) throw new AppError('rate_limited', { retryAfterSeconds })
  const subject = accountNetworkKey(ctx, claim)
  await ctx.transaction(async (tx) => {
    await countNetwork(ctx, tx)
    await tx.attempts.take('sign_in_account', subject)
    await tx.attempts.take('sign_in_burst', subject)
    await countEverywhere(ctx, tx, claim)
  })
}

async function uncountAttempts(ctx: Context, tx: Tx, claim: NamedAccount): Promise<void> {
  const subject = accountNetworkKey(ctx, claim)
  for (const { key } of limitKeys(ctx.network)) await tx.attempts.uncount('sign_in_network', key)
  await tx.attempts.uncount('sign_in_account', subject)
  await tx.attempts.uncount('sign_in_burst', subject)
  await tx.attempts.uncount('sign_in_everywhere', accountKey(claim))
  await tx.attempts.uncount('sign_in_slowed', subject)
}

type FindAccount = () => Promise<Account | undefined>

/** The account, if the password is its own. One that does not exist takes as long. */
async function matching(
  ctx: Context,
  password: string,
  find: FindAccount,
): Promise<Account | undefined> {
  let account: Account | undefined
  const findHash = async () => {
    account = await find()
    return account?.password_hash ?? null
  }
  const isRight = await ctx.passwords.verify(password, findHash, siteOf(ctx.network))
  return isRight ? account : undefined
}

/**
 * Those of an address's accounts that a password belongs to. Attempts count once against the sign-in limits; a correct
 * one stays counted until `confirmPassword` in the transaction of the change. Whether the accounts exist or not, it
 * takes one hash each.
 */
export async function verifyPasswords(
  ctx: Context,
  claim: PasswordClaim,
  finds: readonly FindAccount[],
): Promise<Account[]> {
  await countAttempts(ctx, claim)
  try {
    const proved: Account[] = []
    for (const find of finds) {
      const account = await matching(ctx, claim.password, find)
      if (account !== undefined) proved.push(account)
    }
    return proved
  } catch (error) {
    // The queue for hashing was full: the password was never verified.
    if (isRateLimited(error)) await giveBackAttempt(ctx, claim)
    throw error
  }
}

/** Gives back the attempt of a correct password that nothing was changed with. */
export async function giveBackAttempt(ctx: Context, claim: PasswordClaim): Promise<void> {
  await ctx.transaction((tx) => uncountAttempts(ctx, tx, claim))
}

/** The viewer's account, if the password is theirs; wrong ones count as at the sign-in. */
export async function verifyOwnPassword(ctx: SignedIn, password: string): Promise<Account> {
  const account = await getAccount(ctx.database.db, ctx.session.accountNo)
  const { kind, email, erased_at: erasedAt } = account
  const [proved] = await verifyPasswords(ctx, { kind, email, password }, [
    // An account erased since the request began has no password.
    () => Promise.resolve(erasedAt === null ? account : undefined),
  ])
  if (proved !== undefined) return proved
  await ctx.record({ action: 'password.refused', outcome: 'failed' })
  throw new AppError('password_wrong')
}

/**
 * Gives back the attempt of a correct password and locks the account. False when the password was changed
 * during verification: a change that ended all sessions must end this one as well.
 */
export async function confirmPassword(ctx: Context, tx: Tx, account: Account): Promise<boolean> {
  await uncountAttempts(ctx, tx, account)
  return lockAccount(tx.db, account.no, account.password_hash)
}

/** As `confirmPassword` for the viewer's own password; throws `password_wrong` when it has changed. */
export async function confirmOwnPassword(ctx: SignedIn, tx: Tx, account: Account): Promise<void> {
  if (!(await confirmPassword(ctx, tx, account))) throw new AppError('password_wrong')
}

/**
 * Hashes a new password. Refuses one of the most common, or the address of its account, with an issue at
 * `field`.
 */
export async function hashNewPassword(
  ctx: Context,
  password: string,
  { field, email }: { field: string; email: string },
): Promise<string> {
  refuseGuessablePassword(password, { field, email })
  return ctx.passwords.hash(password, siteOf(ctx.network))
}
