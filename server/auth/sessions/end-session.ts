import {
  type Done,
  SESSION_COOKIES,
  SIGNED_OUT_KEYS,
  type SignOutResponse,
} from '#contract/auth.ts'
import { endAccessTokens } from '#server/access-tokens/manage-access-tokens.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { clearSessionCookies, endRequestSessions } from './open-session.ts'
import { endAllOf, endSessionOf } from './session-store.ts'

/** Ends one of the viewer's sessions. Another account's session is refused like one that does not exist. */
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
  if (input.id === session.id) clearSessionCookies(ctx)
  return { status: true }
}

/**
 * Revokes all access to an account whose role has changed, in the transaction of the change: sessions and
 * access tokens of scripts. Returns the number of sessions.
 */
export async function endSessionsOf(ctx: Context, tx: Tx, accountNo: number): Promise<number> {
  const ending = { reason: 'role', now: ctx.now() } as const
  // Sessions first: ending one waits for an access token it is creating now, which is then visible.
  const sessions = await endAllOf(tx.db, accountNo, ending)
  await endAccessTokens(tx, accountNo, ending)
  return sessions
}

const signedOutAnswer: SignOutResponse = {
  status: true,
  cookies: [...SESSION_COOKIES],
  localStorage: [...SIGNED_OUT_KEYS],
}

function clearSession(ctx: Context): SignOutResponse {
  clearSessionCookies(ctx)
  // The Back button must not bring back cached private pages.
  ctx.reply.header('clear-site-data', '"cache"')
  return signedOutAnswer
}

/** Ends the sessions whose tokens this request carries, and always clears the cookies. */
export async function signOut(ctx: Context): Promise<SignOutResponse> {
  await ctx.transaction((tx) => endRequestSessions(ctx, tx, 'signed_out'))
  return clearSession(ctx)
}

/** Ends every session of the account on all devices, this one included, and every access token. */
export async function signOutEverywhere(ctx: SignedIn): Promise<SignOutResponse> {
  await ctx.transaction(async (tx) => {
    const ending = { reason: 'everywhere', now: ctx.now() } as const
    const sessions = await endAllOf(tx.db, ctx.session.accountNo, ending)
    const tokens = await endAccessTokens(tx, ctx.session.accountNo, ending)
    await tx.audit.add({ action: 'session.signed_out_everywhere', details: { sessions, tokens } })
  })
  return clearSession(ctx)
}
