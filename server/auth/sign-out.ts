import { SESSION_COOKIES, SIGNED_OUT_KEYS, type SignOutAnswer } from '#contract/auth.ts'
import { endAccessTokens } from '#server/access-tokens/end-access-tokens.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { endCarried } from './end-carried.ts'
import { takeBack } from './open-session.ts'
import { endAllOf } from './session-store.ts'

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
