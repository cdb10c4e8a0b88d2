import type { Instant } from '#db/columns.ts'

/** Why a token ended before its time. */
export type TokenEnd = 'revoked' | 'password' | 'everywhere' | 'role'

/** A token somebody made for their own scripts. The token itself is nowhere. */
export interface AccessTokenRow {
  id: string
  account_no: number
  /** Keyed hash of the token. */
  hash: string
  last4: string
  name: string
  /** Scopes, separated by spaces. */
  scopes: string
  /** What its owner was among staff when it was made: another role needs another token. */
  role: string | null
  created_at: Instant
  expires_at: Instant
  /** To the minute. */
  last_used_at: Instant | null
  last_network: string | null
  ended_at: Instant | null
  end_reason: TokenEnd | null
}

export interface AccessTokensTables {
  access_tokens: AccessTokenRow
}
