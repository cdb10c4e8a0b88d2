import type { SessionView } from '#contract/auth.ts'
import { SessionId } from '#contract/ids.ts'
import { toIso } from '#contract/time.ts'
import type { SignedIn } from '#server/context.ts'
import { sessionTimes } from './rules.ts'
import { listLive } from './session-store.ts'

/** Where somebody is signed in now, the latest used first. */
export async function listSessions(ctx: SignedIn): Promise<SessionView[]> {
  const now = ctx.now()
  const usedAfter = now - sessionTimes[ctx.session.kind].idle
  const rows = await listLive(ctx.database.db, ctx.session.accountNo, { now, usedAfter })
  return rows.map((row) => ({
    id: SessionId.parse(row.id),
    device: row.device,
    network: row.network,
    signedInAt: toIso(row.created_at),
    lastUsedAt: toIso(row.last_used_at),
    isThisOne: row.id === ctx.session.id,
  }))
}
