import { forgetOldAccessTokens } from '#server/access-tokens/end-access-tokens.ts'
import type { Services } from '#server/context.ts'
import { deleteOldLinks } from './link-store.ts'
import { deleteSpent } from './session-store.ts'

const DAY = 24 * 3_600_000
/** Long enough for "where was I signed in" after something odd. */
const KEEP_SESSIONS_MS = 30 * DAY
/** The daily limits of codes look back this far. */
const KEEP_CODES_MS = 2 * DAY

/** Forgets tokens, links and codes that are of no use any more, and sessions a month after their end. */
export async function forgetSpent(services: Services): Promise<void> {
  const { database, now } = services
  const at = now()
  await deleteSpent(database.db, at, at - KEEP_SESSIONS_MS)
  await forgetOldAccessTokens(services)
  await deleteOldLinks(database.db, at - KEEP_CODES_MS)
}
