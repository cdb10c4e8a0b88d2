import type { RefreshResponse } from '#contract/auth.ts'
import type { SessionEndReason } from '#contract/auth-staff.ts'
import { UserId } from '#contract/ids.ts'
import { REFRESH_GRACE_MS, sessionEndReason, sessionStatusOf } from '#server/auth/rules.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  clearSessionCookies,
  type OpenedSession,
  openGeneration,
  setSessionCookies,
  tokensFor,
} from './open-session.ts'
import {
  advanceFamily,
  endSessionOf,
  findByRefresh,
  findSessionStatus,
  getFamily,
} from './session-store.ts'

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
  if (await advanceFamily(tx.db, row.session_id, { from, now })) {
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
