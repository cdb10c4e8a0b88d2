import type { UserId } from '#contract/ids.ts'
import type { EndReason } from '#db/tables/auth.ts'
import type { Account } from '#server/auth/accounts/account-store.ts'
import { ACCESS_LIFE_MS, sessionTimes, stepUpUntil } from '#server/auth/rules.ts'
import type { Context, Tx } from '#server/context.ts'
import { endSessionOf, findByRefresh, insertSession, insertTokens } from './session-store.ts'

export type TokenPair = { access: string; refresh: string }

/** A session that is inserted but whose tokens are not sent yet. */
export type OpenedSession = TokenPair & { id: string; userId: UserId; expiresAt: number }

type Generation = { sessionId: string; generation: number; expiresAt: number }

/** Stores the keyed hashes of a pair of tokens; the tokens themselves are stored nowhere. */
export async function openGeneration(
  ctx: Context,
  { db }: Tx,
  pair: TokenPair & Generation,
): Promise<void> {
  const { secrets } = ctx
  const common = { session_id: pair.sessionId, generation: pair.generation }
  await insertTokens(db, [
    {
      ...common,
      kind: 'access',
      hash: secrets.mac('access', pair.access),
      expires_at: Math.min(ctx.now() + ACCESS_LIFE_MS, pair.expiresAt),
    },
    // Kept as long as the family: reuse of a spent token must be detected.
    {
      ...common,
      kind: 'refresh',
      hash: secrets.mac('refresh', pair.refresh),
      expires_at: pair.expiresAt,
    },
  ])
}

/**
 * Begins a session for an account within a transaction, replacing the one this browser had. `proved`: the
 * person has just proved their identity, which counts as a step-up; entering the demo does not.
 */
export async function openSession(
  ctx: Context,
  tx: Tx,
  of: { account: Account; proved: boolean },
): Promise<OpenedSession> {
  const { account } = of
  const now = ctx.now()
  // Its cookies are about to be overwritten: nobody could sign the old one out any more.
  await endRequestSessions(ctx, tx, 'replaced')
  const id = ctx.newId('ses')
  const expiresAt = now + sessionTimes[account.kind].life
  await insertSession(tx.db, {
    id,
    account_no: account.no,
    device: ctx.client.device,
    network: ctx.network,
    created_at: now,
    last_used_at: now,
    expires_at: expiresAt,
    ended_at: null,
    end_reason: null,
    stepped_up_until: of.proved ? stepUpUntil(now) : null,
    generation: 0,
    rotated_at: now,
  })
  const pair = { access: ctx.secrets.token(), refresh: ctx.secrets.token() }
  await openGeneration(ctx, tx, { ...pair, sessionId: id, generation: 0, expiresAt })
  await tx.audit.add({
    action: 'session.began',
    entity: id,
    actor: { kind: account.kind, id: account.id },
  })
  return { ...pair, id, userId: account.id, expiresAt }
}

/** The tokens in JSON, only for clients that are not browsers. */
export function tokensFor(
  ctx: Context,
  pair: TokenPair,
): { tokens?: { access_token: string; refresh_token: string } } {
  if (ctx.client.isBrowser) return {}
  return { tokens: { access_token: pair.access, refresh_token: pair.refresh } }
}

/** Sets the cookies of a committed session. Pages read `user_id` as the marker of being signed in. */
export function setSessionCookies(ctx: Context, session: Omit<OpenedSession, 'id'>): void {
  const rest = Math.floor((session.expiresAt - ctx.now()) / 1_000)
  ctx.reply.cookie('access_token', session.access, {
    maxAge: Math.min(ACCESS_LIFE_MS / 1_000, rest),
  })
  ctx.reply.cookie('refresh_token', session.refresh, { maxAge: rest })
  ctx.reply.cookie('user_id', session.userId, { maxAge: rest, isReadable: true })
}

/** Clears the cookies of a session. */
export function clearSessionCookies(ctx: Context): void {
  ctx.reply.cookie('access_token', '', { maxAge: 0 })
  ctx.reply.cookie('refresh_token', '', { maxAge: 0 })
  ctx.reply.cookie('user_id', '', { maxAge: 0, isReadable: true })
}

type RequestSession = {
  id: string
  accountNo: number
  kind: 'patient' | 'provider' | 'staff'
  userId: string
}

/**
 * The sessions of the request's tokens: when the access token has expired there may still be a refresh token.
 */
async function sessionsOfRequest(ctx: Context, tx: Tx): Promise<RequestSession[]> {
  const { session, client, secrets } = ctx
  const found: RequestSession[] = session === null ? [] : [session]
  const refresh = client.cookies.get('refresh_token') ?? client.bearer
  const row =
    refresh === null ? undefined : await findByRefresh(tx.db, secrets.mac('refresh', refresh))
  if (row !== undefined && row.session_id !== session?.id) {
    const { session_id: id, account_no: accountNo, kind, user_id: userId } = row
    found.push({ id, accountNo, kind, userId })
  }
  return found
}

/** Ends the sessions whose tokens came with this request, within a transaction. */
export async function endRequestSessions(
  ctx: Context,
  tx: Tx,
  reason: Extract<EndReason, 'signed_out' | 'replaced'>,
): Promise<void> {
  for (const { id, accountNo, kind, userId } of await sessionsOfRequest(ctx, tx)) {
    if (await endSessionOf(tx.db, { accountNo, id }, { reason, now: ctx.now() })) {
      await tx.audit.add({
        action: `session.${reason}`,
        entity: id,
        actor: { kind, id: userId },
      })
    }
  }
}
