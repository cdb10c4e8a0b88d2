import type { Instant } from '#db/columns.ts'

/** Why an access token was ended early. */
export type TokenEnd = 'revoked' | 'password' | 'everywhere' | 'role'

/** A token made for an owner's scripts. The token itself is not stored. */
export interface AccessTokenRow {
  id: string
  account_no: number
  /** Keyed hash of the token. */
  hash: string
  last4: string
  name: string
  /** Scopes, separated by spaces. */
  scopes: string
  /** The owner's staff role when it was made: another role needs another token. */
  role: string | null
  created_at: Instant
  expires_at: Instant
  /** Rounded to the minute. */
  last_used_at: Instant | null
  last_network: string | null
  ended_at: Instant | null
  end_reason: TokenEnd | null
}

export interface AccessTokensTables {
  access_tokens: AccessTokenRow
}
