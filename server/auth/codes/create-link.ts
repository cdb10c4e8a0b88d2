import type { LinkRow } from '#db/tables/auth.ts'
import { purgeAccessTokens } from '#server/access-tokens/access-tokens.ts'
import { linkLife } from '#server/auth/rules.ts'
import { deleteExpired } from '#server/auth/sessions/session-store.ts'
import type { Context, Services, Tx } from '#server/context.ts'
import { deleteOldLinks, insertLink } from './link-store.ts'

type NewLink = { purpose: LinkRow['purpose']; accountNo: number; email?: string }

/** Creates a link with a token of 256 random bits and returns the token; only its keyed hash is stored. */
export async function createLink(ctx: Context, tx: Tx, link: NewLink): Promise<string> {
  const token = ctx.secrets.token()
  const now = ctx.now()
  await insertLink(tx.db, {
    hash: ctx.secrets.mac('link', token),
    purpose: link.purpose,
    account_no: link.accountNo,
    email: link.email ?? null,
    created_at: now,
    expires_at: now + linkLife[link.purpose],
    used_at: null,
  })
  return token
}

const DAY = 24 * 3_600_000
/** Long enough to look up past sign-ins after suspicious activity. */
const KEEP_SESSIONS_MS = 30 * DAY
/** The daily limits of codes look back this far. */
const KEEP_CODES_MS = 2 * DAY

/** Deletes expired and used tokens, links and codes, and sessions a month after their end. */
export async function deleteUsedTokens(services: Services): Promise<void> {
  const { database, now } = services
  const at = now()
  await deleteExpired(database.db, at, at - KEEP_SESSIONS_MS)
  await purgeAccessTokens(services)
  await deleteOldLinks(database.db, at - KEEP_CODES_MS)
}
