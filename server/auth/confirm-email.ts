import type { ConfirmEmailAnswer, ConfirmEmailInput } from '#contract/auth.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { getAccount } from './account-store.ts'
import { checkCodeIn, checkedTooOften } from './check-code.ts'
import { findLink } from './link-store.ts'
import { handOver, type OpenedSession, openSession, tokensFor } from './open-session.ts'
import { readMe } from './read-me.ts'
import { verifyAddress } from './verify-email.ts'

type Confirmed = { session: OpenedSession; accountNo: number }

/** Handles that belong to nobody take the same tries, so that they cannot be told from others. */
async function confirm(
  ctx: Context,
  tx: Tx,
  input: ConfirmEmailInput,
): Promise<Confirmed | 'wrong' | 'locked'> {
  await tx.attempts.take('pending_network', ctx.network)
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
