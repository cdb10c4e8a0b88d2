import type { Generated } from 'kysely'
import type { Flag, Instant } from '#db/columns.ts'

export interface AccountRow {
  /** Compact key for internal use; `id` is the public `user_id`. */
  no: Generated<number>
  id: string
  kind: 'patient' | 'provider' | 'staff'
  /** Lower case; one account for each kind and address. */
  email: string
  /** PHC string: algorithm, parameters, salt and hash. */
  password_hash: string
  first_name: string
  last_name: string
  phone_number: string
  /** ISO date; patients only. */
  date_of_birth: string | null
  /** Root-relative `/media/<hash>.webp`; a provider's is the photo of their profile. */
  profile_image: string | null
  /** Providers: their row in `providers`. */
  provider_no: number | null
  /** Staff: what they may do. Read on every call, never from a token. */
  role: 'superuser' | 'admin' | 'editor' | 'author' | null
  email_verified_at: Instant | null
  suspended_at: Instant | null
  /** Set when the account is erased: the row stays for references, without personal data. */
  erased_at: Instant | null
  /** TOTP secret, encrypted with the installation's key. */
  totp_secret: string | null
  /** Begun but not confirmed yet. */
  totp_pending: string | null
  totp_confirmed_at: Instant | null
  /** The last time step accepted, so that a code works once. */
  totp_last_step: number
  /** Staff: a colleague typed the password. It opens one session, in which another is chosen. */
  must_change_password: Flag
  first_password_used_at: Instant | null
  default_radius: number
  /** 0 until the terms are accepted. */
  terms_accepted_at: Instant
  created_at: Instant
  updated_at: Instant
}

export type EndReason =
  | 'signed_out'
  /** A new sign-in in the same browser replaced the session. */
  | 'replaced'
  | 'everywhere'
  | 'ended'
  | 'reuse'
  | 'idle'
  | 'password'
  | 'email'
  | 'role'
  | 'erased'

/** A refresh-token family: one sign-in on one device. */
export interface SessionRow {
  id: string
  account_no: number
  /** "Chrome on Windows". */
  device: string
  network: string
  created_at: Instant
  /** Rounded to the minute; idle limits count from here. */
  last_used_at: Instant
  /** The session ends then at the latest, even if refreshed. */
  expires_at: Instant
  ended_at: Instant | null
  end_reason: EndReason | null
  stepped_up_until: Instant | null
  /** Counts refreshes; only the newest refresh token rotates. */
  generation: number
  rotated_at: Instant
}

/** Keyed hashes of access and refresh tokens; the tokens themselves are not stored. */
export interface TokenRow {
  hash: string
  session_id: string
  kind: 'access' | 'refresh'
  generation: number
  /** The row is kept until then, so that reuse of a spent refresh token is detected. */
  expires_at: Instant
}

/** Links in emails, and the handle returned by a registration. */
export interface LinkRow {
  hash: string
  purpose: 'verify_email' | 'reset_password' | 'change_email' | 'pending'
  account_no: number
  /** The new address, for a change of address. */
  email: string | null
  created_at: Instant
  expires_at: Instant
  used_at: Instant | null
}

/** One-time codes, bound to person, purpose and object. */
export interface CodeRow {
  id: string
  account_no: number
  purpose: string
  object: string
  hash: string
  created_at: Instant
  expires_at: Instant
  /** Number of wrong attempts. */
  tries: number
  verified_at: Instant | null
  used_at: Instant | null
}

/**
 * Number of attempts per time slice, so that several processes count together. The key is a keyed hash where
 * it would otherwise identify a person.
 */
export interface AttemptRow {
  key: string
  /** Number of the slice since 1970; the limit defines its length. */
  slice: number
  count: number
  /** The row is ignored after that. */
  expires_at: Instant
}

export interface RecoveryCodeRow {
  hash: string
  account_no: number
  used_at: Instant | null
}

/** The link to create the first superuser of an installation, printed on the server. */
export interface StartLinkRow {
  hash: string
  created_at: Instant
  expires_at: Instant
  used_at: Instant | null
}

/** Why an access token was ended early. */
export type TokenEnd = 'revoked' | EndReason

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

export interface AuthTables {
  access_tokens: AccessTokenRow
  accounts: AccountRow
  attempts: AttemptRow
  codes: CodeRow
  links: LinkRow
  recovery_codes: RecoveryCodeRow
  sessions: SessionRow
  start_links: StartLinkRow
  tokens: TokenRow
}
