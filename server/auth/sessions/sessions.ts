import {
  type RefreshResponse,
  SESSION_COOKIES,
  type SessionEndReason,
  SIGNED_OUT_KEYS,
  type SignOutResponse,
} from '#contract/auth.ts'
import type { Done } from '#contract/base/done.ts'
import { UserId } from '#contract/base/ids.ts'
import type { EndReason } from '#db/tables/auth.ts'
import type { Account } from '#server/auth/accounts/account-store.ts'
import {
  ACCESS_LIFE_MS,
  REFRESH_GRACE_MS,
  sessionEndReason,
  sessionStatusOf,
  sessionTimes,
  stepUpUntil,
} from '#server/auth/rules.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { endAccess } from './end-access.ts'
import {
  advanceFamily,
  endSessionOf,
  findByRefresh,
  findSessionStatus,
  getFamily,
  insertSession,
  insertTokens,
} from './session-store.ts'

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
  // Its cookies are about to be overwritten, so nobody could sign the old session out any more.
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
function clearSessionCookies(ctx: Context): void {
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
  const refreshToken = client.cookies.get('refresh_token') ?? client.bearer
  const row =
    refreshToken === null
      ? undefined
      : await findByRefresh(tx.db, secrets.mac('refresh', refreshToken))
  if (row !== undefined && row.session_id !== session?.id) {
    const { session_id: id, account_no: accountNo, kind, user_id: userId } = row
    found.push({ id, accountNo, kind, userId })
  }
  return found
}

/** Ends the sessions whose tokens came with this request, within a transaction. */
async function endRequestSessions(
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

type Row = NonNullable<Awaited<ReturnType<typeof findByRefresh>>>

/** Derives the next tokens from the parent, so that concurrent requests get the same pair. */
function nextTokens(ctx: Context, row: Row, parent: string): OpenedSession {
  const derive = (kind: string) =>
    ctx.secrets.mac('child', `${kind} ${row.session_id} ${row.token_generation} ${parent}`)
  return {
    id: row.session_id,
    userId: UserId.parse(row.user_id),
    expiresAt: row.expires_at,
    access: derive('access'),
    refresh: derive('refresh'),
  }
}

async function endFamily(ctx: Context, tx: Tx, end: { row: Row; reason: 'reuse' | 'idle' }) {
  const { row, reason } = end
  const which = { accountNo: row.account_no, id: row.session_id }
  await endSessionOf(tx.db, which, { reason, now: ctx.now() })
  await tx.audit.add({
    action: reason === 'reuse' ? 'session.token_reused' : 'session.idled_out',
    outcome: reason === 'reuse' ? 'denied' : 'ok',
    entity: row.session_id,
    actor: { kind: row.kind, id: row.user_id },
  })
}

/** Returns null when the session has ended. It does not throw, because what it wrote must be committed. */
async function rotate(ctx: Context, tx: Tx, parent: string): Promise<OpenedSession | null> {
  const row = await findByRefresh(tx.db, ctx.secrets.mac('refresh', parent))
  if (row === undefined || row.suspended_at !== null) return null
  const now = ctx.now()
  const over = sessionEndReason(row, row.kind, now)
  if (over === 'idle') await endFamily(ctx, tx, { row, reason: 'idle' })
  if (over !== null) return null
  const child = nextTokens(ctx, row, parent)
  const from = row.token_generation
  const usedAt = ctx.client.isUnattended ? row.last_used_at : now
  if (await advanceFamily(tx.db, row.session_id, { from, now, usedAt })) {
    await openGeneration(ctx, tx, { ...child, sessionId: child.id, generation: from + 1 })
    return child
  }
  const family = await getFamily(tx.db, row.session_id)
  const isTwin = family.generation === from + 1 && now - family.rotated_at <= REFRESH_GRACE_MS
  if (isTwin && family.ended_at === null) return child
  if (family.ended_at === null) await endFamily(ctx, tx, { row, reason: 'reuse' })
  return null
}

/** Why a staff session ended: their page shows it, and no later response can tell. */
async function staffSessionEnd(ctx: Context, parent: string): Promise<SessionEndReason | null> {
  const row = await findSessionStatus(ctx.database.db, ctx.secrets.mac('refresh', parent))
  return row?.kind === 'staff' ? sessionStatusOf(row, ctx.now()).over : null
}

/**
 * Trades a refresh token for the next pair. Reuse of a spent one ends its whole family, except within ten
 * seconds of its use: then it gets the very same pair.
 */
export async function refresh(ctx: Context): Promise<RefreshResponse> {
  const parent = ctx.client.cookies.get('refresh_token') ?? ctx.client.bearer
  const next = parent === null ? null : await ctx.transaction((tx) => rotate(ctx, tx, parent))
  if (next === null) {
    const why = parent === null ? null : await staffSessionEnd(ctx, parent)
    clearSessionCookies(ctx)
    throw new AppError('session_ended', why === null ? {} : { why })
  }
  setSessionCookies(ctx, next)
  return { status: true, ...tokensFor(ctx, next) }
}

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

/** Ends all access to the account: sessions on all devices, this one included, tokens, calendar links. */
export async function signOutEverywhere(ctx: SignedIn): Promise<SignOutResponse> {
  const { accountNo } = ctx.session
  await ctx.transaction(async (tx) => {
    const ended = await endAccess(ctx, tx, { accountNo, event: 'everywhere' })
    await tx.audit.add({ action: 'session.signed_out_everywhere', details: ended })
  })
  return clearSession(ctx)
}
