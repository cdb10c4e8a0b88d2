import * as z from 'zod/mini'
import { AccessTokenId } from './base/ids.ts'
import { IsoInstant } from './base/time.ts'

/** What an access token may be allowed to do: an area, and reading or changing in it. A closed list. */
export const TokenScope = z.enum(
  [
    'account:read',
    'visits:read',
    'visits:write',
    'favourites:read',
    'favourites:write',
    'reminders:read',
    'reminders:write',
    'availability:read',
    'availability:write',
    'payments:read',
    'staff-payments:read',
    'staff-providers:read',
  ],
  { error: 'Choose what the token may do from the list.' },
)
export type TokenScope = z.infer<typeof TokenScope>

type Kind = 'patient' | 'provider' | 'staff'

/** Each scope in plain words, and the kinds of account it applies to. */
export const scopeFacts: Record<TokenScope, { words: string; kinds: readonly Kind[] }> = {
  'account:read': {
    words: 'See your name, address and profile',
    kinds: ['patient', 'provider', 'staff'],
  },
  'visits:read': { words: 'See your visits', kinds: ['patient', 'provider'] },
  'visits:write': {
    words:
      'Hold and release times, cancel, move and join visits and record what happened, but not pay',
    kinds: ['patient', 'provider'],
  },
  'favourites:read': { words: 'See the providers you have saved', kinds: ['patient'] },
  'favourites:write': {
    words: 'See and change the providers you have saved',
    kinds: ['patient'],
  },
  'reminders:read': { words: 'See which reminders you get', kinds: ['patient'] },
  'reminders:write': { words: 'See and change which reminders you get', kinds: ['patient'] },
  'availability:read': { words: 'See your hours and time off', kinds: ['provider'] },
  'availability:write': { words: 'See and change your hours and time off', kinds: ['provider'] },
  'payments:read': {
    words: 'See your payments, with names and amounts',
    kinds: ['patient', 'provider'],
  },
  'staff-payments:read': {
    words: 'See everybody’s payments, as far as your role allows',
    kinds: ['staff'],
  },
  'staff-providers:read': {
    words: 'See providers and their status, as far as your role allows',
    kinds: ['staff'],
  },
}

/** The scopes an account of each kind can give its tokens. */
export function scopesFor(kind: Kind): TokenScope[] {
  return TokenScope.options.filter((scope) => scopeFacts[scope].kinds.includes(kind))
}

/** Most tokens an account can have at a time. */
export const MAX_ACCESS_TOKENS = 20
export const DEFAULT_TOKEN_DAYS = 90
const MAX_TOKEN_DAYS = 365

const NAME_MISSING = 'Give the token a name, such as what uses it.'
const DAYS_RULE = 'Choose between 1 and 365 days.'

export const CreateAccessTokenInput = z.strictObject({
  name: z.string({ error: NAME_MISSING }).check(
    z.trim(),
    z.minLength(1, { error: NAME_MISSING, abort: true }),
    z.maxLength(60, { error: 'Use 60 characters or fewer.' }),
    z.regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{DI}\p{Zl}\p{Zp}]*$/u, {
      error: 'Use only letters, numbers and punctuation.',
    }),
  ),
  scopes: z.array(TokenScope).check(
    z.minLength(1, { error: 'Choose at least one thing the token may do.' }),
    z.maxLength(TokenScope.options.length),
    z.refine((scopes) => new Set(scopes).size === scopes.length, {
      error: 'Choose each thing once.',
    }),
  ),
  days: z._default(
    z
      .int({ error: DAYS_RULE })
      .check(z.minimum(1, { error: DAYS_RULE }), z.maximum(MAX_TOKEN_DAYS, { error: DAYS_RULE })),
    DEFAULT_TOKEN_DAYS,
  ),
})
export type CreateAccessTokenInput = z.infer<typeof CreateAccessTokenInput>

/** A token as its owner sees it after creation: its scopes, never its secret. */
export const AccessToken = z.object({
  id: AccessTokenId,
  name: z.string(),
  /** Its last four characters, to tell it from the others. */
  last4: z.string(),
  scopes: z.array(TokenScope),
  createdAt: IsoInstant,
  expiresAt: IsoInstant,
  isExpired: z.boolean(),
  /** Null until it is used; to the minute. */
  lastUsedAt: z.nullable(IsoInstant),
  /** Network it was last used from. */
  lastNetwork: z.nullable(z.string()),
})
export type AccessToken = z.infer<typeof AccessToken>

/** `secret` is the token itself, shown only this once. */
export const CreateAccessTokenResponse = z.object({ secret: z.string(), token: AccessToken })
export type CreateAccessTokenResponse = z.infer<typeof CreateAccessTokenResponse>

export const AccessTokenRef = z.strictObject({ id: AccessTokenId })
