import type { LinkRow } from '#db/tables/auth.ts'
import type { Context, Tx } from '#server/context.ts'
import { insertLink } from './link-store.ts'
import { linkLife } from './rules.ts'

type NewLink = { purpose: LinkRow['purpose']; accountNo: number; email?: string }

/** Makes a link of 256 random bits and returns its token, of which only a keyed hash is kept. */
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
