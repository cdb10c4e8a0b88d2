import type { StepUpAnswer, StepUpInput } from '#contract/auth.ts'
import { toIso } from '#contract/time.ts'
import { type Account, getAccount, holdAccount } from '#server/auth/accounts/account-store.ts'
import { type AccountKind, stepUpUntil } from '#server/auth/rules.ts'
import { setSteppedUp } from '#server/auth/sessions/session-store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { countedFor, siteOf } from '#server/kernel/limits/network.ts'
import { refuseGuessablePassword } from '#server/kernel/security/passwords.ts'
import { checkSecondFactor } from './check-second-factor.ts'

async function markProved(ctx: SignedIn, tx: Tx): Promise<number> {
  const until = stepUpUntil(ctx.now())
  await setSteppedUp(tx.db, ctx.session.id, until)
  await tx.audit.add({ action: 'session.stepped_up', entity: ctx.session.id })
  return until
}

async function byPassword(ctx: SignedIn, password: string | undefined): Promise<number> {
  const account = await proveOwner(ctx, password ?? '')
  return ctx.transaction(async (tx) => {
    await settleOwner(ctx, tx, account)
    return markProved(ctx, tx)
  })
}

async function bySecondFactor(ctx: SignedIn, account: Account, given: string | undefined) {
  const outcome = await ctx.transaction(
    async (tx) =>
      (await checkSecondFactor(ctx, tx, { account, given })) ?? (await markProved(ctx, tx)),
  )
  if (typeof outcome === 'string') throw new AppError(outcome)
  return outcome
}

/** Proves once more who it is: by the authenticator app where there is one, else by password. */
export async function stepUp(ctx: SignedIn, input: StepUpInput): Promise<StepUpAnswer> {
  const account = await getAccount(ctx.database.db, ctx.session.accountNo)
  const until =
    account.totp_confirmed_at === null
      ? await byPassword(ctx, input.password)
      : await bySecondFactor(ctx, account, input.second_factor)
  return { stepped_up_until: toIso(until) }
}

/** Whose password it is said to be; the account may not exist. */
export type Claim = { kind: AccountKind; email: string; password: string }

type Named = Pick<Claim, 'kind' | 'email'>

/** Names an account, whether it exists or not. */
function nameOf({ kind, email }: Named): string {
  return `${kind} ${email}`
}

/** Names an account and a network. */
function subjectOf(ctx: Context, named: Named): string {
  return `${nameOf(named)} ${ctx.network}`
}

/**
 * Counts a try for one account from wherever. Guesses from many networks slow each of them down; they
 * lock nobody out, because a right password is given back and every network keeps its one guess.
 */
async function countEverywhere(ctx: Context, tx: Tx, claim: Claim): Promise<void> {
  if (await tx.attempts.count('sign_in_everywhere', nameOf(claim))) return
  await tx.attempts.take('sign_in_slowed', subjectOf(ctx, claim))
}

/** Counts a try of a network; one that has spent its tries is refused for a while without asking again. */
async function countNetwork(ctx: Context, tx: Tx): Promise<void> {
  for (const { key, share } of countedFor(ctx.network)) {
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
 * Counted before the password is looked at, so that guesses sent at once count as well, and before
 * waiting for a hash, so that those who have had their share keep nobody waiting.
 */
async function countTries(ctx: Context, claim: Claim): Promise<void> {
  const spent = countedFor(ctx.network).map(({ key }) => ctx.limiter.exhaustedFor(key))
  const retryAfterSeconds = Math.max(...spent)
  if (retryAfterSeconds > 0) throw new AppError('rate_limited', { retryAfterSeconds })
  const subject = subjectOf(ctx, claim)
  await ctx.transaction(async (tx) => {
    await countNetwork(ctx, tx)
    await tx.attempts.take('sign_in_account', subject)
    await tx.attempts.take('sign_in_burst', subject)
    await countEverywhere(ctx, tx, claim)
  })
}

async function giveTryBack(ctx: Context, tx: Tx, claim: Named): Promise<void> {
  const subject = subjectOf(ctx, claim)
  for (const { key } of countedFor(ctx.network)) await tx.attempts.giveBack('sign_in_network', key)
  await tx.attempts.giveBack('sign_in_account', subject)
  await tx.attempts.giveBack('sign_in_burst', subject)
  await tx.attempts.giveBack('sign_in_everywhere', nameOf(claim))
  await tx.attempts.giveBack('sign_in_slowed', subject)
}

/**
 * The account a password opens, or null. Tries are counted against the limits of signing in; a right
 * one stays counted until `settleProof` in the transaction of the act. An account that does not
 * exist takes as long as a wrong password.
 */
export async function provePassword(
  ctx: Context,
  claim: Claim,
  find: () => Promise<Account | undefined>,
): Promise<Account | null> {
  await countTries(ctx, claim)
  let account: Account | undefined
  const findHash = async () => {
    account = await find()
    return account?.password_hash ?? null
  }
  try {
    const isRight = await ctx.passwords.verify(claim.password, findHash, siteOf(ctx.network))
    return isRight && account !== undefined ? account : null
  } catch (error) {
    const isCrowded = error instanceof AppError && error.code === 'rate_limited'
    // Nobody has looked at this password.
    if (isCrowded) await ctx.transaction((tx) => giveTryBack(ctx, tx, claim))
    throw error
  }
}

/** The viewer's account, if the password is theirs; wrong ones count as at the sign-in. */
export async function proveOwner(ctx: SignedIn, password: string): Promise<Account> {
  const account = await getAccount(ctx.database.db, ctx.session.accountNo)
  const { kind, email } = account
  const proved = await provePassword(ctx, { kind, email, password }, () => Promise.resolve(account))
  if (proved !== null) return proved
  await ctx.record({ action: 'password.refused', outcome: 'failed' })
  throw new AppError('password_wrong')
}

/**
 * Takes back the try of a right password and holds the account. False when the password was changed
 * while it was being looked at: whoever ended all sessions meanwhile meant this one as well.
 */
export async function settleProof(ctx: Context, tx: Tx, account: Account): Promise<boolean> {
  await giveTryBack(ctx, tx, account)
  return holdAccount(tx.db, account.no, account.password_hash)
}

/** As `settleProof` for the viewer's own password; throws `password_wrong` when it has changed. */
export async function settleOwner(ctx: SignedIn, tx: Tx, account: Account): Promise<void> {
  if (!(await settleProof(ctx, tx, account))) throw new AppError('password_wrong')
}

/**
 * The hash of a new password, unless it is one of the most common or the address of its account: then
 * `field` is told so.
 */
export async function hashNewPassword(
  ctx: Context,
  password: string,
  { field, email }: { field: string; email: string },
): Promise<string> {
  refuseGuessablePassword(password, { field, email })
  return ctx.passwords.hash(password, siteOf(ctx.network))
}
