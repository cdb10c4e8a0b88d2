import type { Standing } from '#contract/auth-staff.ts'
import type { Context } from '#server/context.ts'
import { standingOf } from './rules.ts'
import { findStanding } from './session-store.ts'

/**
 * How the session of this browser stands. Asked by open pages of staff once a second: it goes by the
 * refresh token, which it does not use up, so that asking neither needs nor makes new tokens.
 */
export async function readStanding(ctx: Context): Promise<Standing> {
  const token = ctx.client.cookies.get('refresh_token')
  const row =
    token === undefined
      ? undefined
      : await findStanding(ctx.database.db, ctx.secrets.mac('refresh', token))
  return row === undefined ? { role: null, over: 'ended' } : standingOf(row, ctx.now())
}
