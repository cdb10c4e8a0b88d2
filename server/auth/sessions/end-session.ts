import { type Done, SESSION_COOKIES, SIGNED_OUT_KEYS, type SignOutAnswer } from '#contract/auth.ts'
import { endAccessTokens } from '#server/access-tokens/manage-access-tokens.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { endCarried, takeBack } from './open-session.ts'
import { endAllOf, endSessionOf } from './session-store.ts'

/** Ends one session of one's own. Somebody else's is as unknown as one that never was. */
export async function endSession(ctx: SignedIn, input: { id: string }): Promise<Done> {
  const { session } = ctx
  const ended = await ctx.transaction(async (tx) => {
    const which = { accountNo: session.accountNo, id: input.id }
    if (!(await endSessionOf(tx.db, which, { reason: 'ended', now: ctx.now() }))) return false
    await tx.audit.add({ action: 'session.ended', entity: input.id })
    return true
  })
  if (!ended) {
    const details = { code: 'not_found' }
    const entity = 'auth.endSession'
    await ctx.record({ action: 'call.denied', outcome: 'denied', entity, details })
    throw new AppError('not_found')
  }
  if (input.id === session.id) takeBack(ctx)
  return { status: true }
}

/**
 * Ends every way into an account whose role has changed, in the transaction of the change: sessions and
 * tokens of scripts. Says how many sessions there were.
 */
export async function endSessionsOf(ctx: Context, tx: Tx, accountNo: number): Promise<number> {
  const ending = { reason: 'role', now: ctx.now() } as const
  // The sessions first: a token that one of them is making now is there once that session can be ended.
  const sessions = await endAllOf(tx.db, accountNo, ending)
  await endAccessTokens(tx, accountNo, ending)
  return sessions
}

const answer: SignOutAnswer = {
  status: true,
  cookies: [...SESSION_COOKIES],
  localStorage: [...SIGNED_OUT_KEYS],
}

function forget(ctx: Context): SignOutAnswer {
  takeBack(ctx)
  // What the browser kept of private pages must not come back with the Back button.
  ctx.reply.header('clear-site-data', '"cache"')
  return answer
}

/** Ends the sessions this request carries tokens of, and takes the cookies back in any case. */
export async function signOut(ctx: Context): Promise<SignOutAnswer> {
  await ctx.transaction((tx) => endCarried(ctx, tx, 'signed_out'))
  return forget(ctx)
}

/** Ends every session of the account on all devices, this one included, and every access token. */
export async function signOutEverywhere(ctx: SignedIn): Promise<SignOutAnswer> {
  await ctx.transaction(async (tx) => {
    const ending = { reason: 'everywhere', now: ctx.now() } as const
    const sessions = await endAllOf(tx.db, ctx.session.accountNo, ending)
    const tokens = await endAccessTokens(tx, ctx.session.accountNo, ending)
    await tx.audit.add({ action: 'session.signed_out_everywhere', details: { sessions, tokens } })
  })
  return forget(ctx)
}
