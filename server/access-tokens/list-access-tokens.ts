import type { AccessToken } from '#contract/access-tokens.ts'
import type { SignedIn } from '#server/context.ts'
import { KEEP_MS } from './rules.ts'
import { showAccessToken } from './show-access-token.ts'
import { listOf } from './store.ts'

/** The viewer's tokens, the newest first; those that ran out stay on the list for a month. */
export async function listAccessTokens(ctx: SignedIn): Promise<AccessToken[]> {
  const now = ctx.now()
  const rows = await listOf(ctx.database.db, ctx.session.accountNo, now - KEEP_MS)
  return rows.map((row) => showAccessToken(row, now))
}
