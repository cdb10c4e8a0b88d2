import { type AccessToken, TokenScope } from '#contract/access-tokens.ts'
import type { Done } from '#contract/auth.ts'
import { AccessTokenId } from '#contract/ids.ts'
import { toIso } from '#contract/time.ts'
import type { AccessTokenRow, TokenEnd } from '#db/tables/access-tokens.ts'
import type { Services, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { RETENTION_MS } from './rules.ts'
import { deleteAllOf, deleteOld, endAll, endOne, listAllOf, listOf } from './store.ts'

/** The viewer's tokens, newest first; expired ones stay listed for a month. */
export async function listAccessTokens(ctx: SignedIn): Promise<AccessToken[]> {
  const now = ctx.now()
  const rows = await listOf(ctx.database.db, ctx.session.accountNo, now - RETENTION_MS)
  return rows.map((row) => showAccessToken(row, now))
}

/** Parses the stored scopes; unknown scopes are dropped. */
export function parseScopes(stored: string): TokenScope[] {
  return stored.split(' ').flatMap((text) => {
    const scope = TokenScope.safeParse(text)
    return scope.success ? [scope.data] : []
  })
}

/** A token as its owner may see it. */
export function showAccessToken(row: AccessTokenRow, now: number): AccessToken {
  return {
    id: AccessTokenId.parse(row.id),
    name: row.name,
    last4: row.last4,
    scopes: parseScopes(row.scopes),
    createdAt: toIso(row.created_at),
    expiresAt: toIso(row.expires_at),
    isExpired: row.expires_at <= now,
    lastUsedAt: row.last_used_at === null ? null : toIso(row.last_used_at),
    lastNetwork: row.last_network,
  }
}

/**
 * Revokes one of the viewer's tokens at once. Another account's token is `not_found`, like an unknown one.
 */
export async function revokeAccessToken(ctx: SignedIn, input: { id: string }): Promise<Done> {
  const which = { accountNo: ctx.session.accountNo, id: input.id }
  await ctx.transaction(async (tx) => {
    if (!(await endOne(tx.db, which, { reason: 'revoked', now: ctx.now() }))) {
      throw new AppError('not_found')
    }
    await tx.audit.add({ action: 'access_token.revoked', entity: input.id })
  })
  return { status: true }
}

/** Ends every token of an account, in the transaction that ends its other access; returns how many. */
export function endAccessTokens(
  tx: Tx,
  accountNo: number,
  ending: { reason: TokenEnd; now: number },
): Promise<number> {
  return endAll(tx.db, accountNo, ending)
}

/** Deletes every token of an account, in the transaction that erases it. */
export async function forgetAccessTokens(tx: Tx, accountNo: number): Promise<void> {
  await deleteAllOf(tx.db, accountNo)
}

/** Deletes tokens a month after they expired or ended. */
export async function forgetOldAccessTokens({ database, now }: Services): Promise<void> {
  await deleteOld(database.db, now() - RETENTION_MS)
}

/** The viewer's tokens for the data export, without their hashes. */
export function exportAccessTokens(ctx: SignedIn, tx: Tx): Promise<Record<string, unknown>[]> {
  return listAllOf(tx.db, ctx.session.accountNo)
}
