import { type AccessToken, TokenScope } from '#contract/access-tokens.ts'
import { AccessTokenId } from '#contract/ids.ts'
import { toIso } from '#contract/time.ts'
import type { AccessTokenRow } from '#db/tables/access-tokens.ts'

/** Scopes as they are kept, in one text. A scope we no longer know opens nothing. */
export function readScopes(kept: string): TokenScope[] {
  return kept.split(' ').flatMap((text) => {
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
    scopes: readScopes(row.scopes),
    createdAt: toIso(row.created_at),
    expiresAt: toIso(row.expires_at),
    isExpired: row.expires_at <= now,
    lastUsedAt: row.last_used_at === null ? null : toIso(row.last_used_at),
    lastNetwork: row.last_network,
  }
}
