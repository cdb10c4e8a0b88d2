import { scopesFor, type TokenScope } from '#contract/access-tokens.ts'
import type { Session } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { TokenFault } from '#server/kernel/security/token-scopes.ts'

const DAY = 24 * 3_600_000

/** Prefix of every token, so that secret scanners recognise a leaked one. */
export const TOKEN_PREFIX = 'apo_'

/** Uses are recorded at most this often, unless the network changes. */
export const TOUCH_EVERY_MS = 60_000

/** How long expired tokens stay listed, and ended ones stored. */
export const RETENTION_MS = 30 * DAY

/** When a token created now for `days` days expires. */
export function expiryOf(now: number, days: number): number {
  return now + days * DAY
}

type TokenLifetime = {
  ended_at: number | null
  expires_at: number
  role: string | null
  owner_role: string | null
  suspended_at: number | null
  erased_at: number | null
}

/** Why a token is invalid at an instant; null while it is valid. */
export function faultOf(row: TokenLifetime, now: number): TokenFault | null {
  if (row.ended_at !== null) return 'revoked'
  if (now >= row.expires_at) return 'expired'
  if (row.suspended_at !== null || row.erased_at !== null) return 'account'
  return row.role === row.owner_role ? null : 'role'
}

/** Refuses scopes that do not exist for this kind of account. */
export function assertScopesFor(kind: Session['kind'], scopes: readonly TokenScope[]): void {
  const mine = scopesFor(kind)
  if (scopes.every((scope) => mine.includes(scope))) return
  const issues = [{ path: 'scopes', message: 'Your account can’t give access to that.' }]
  throw new AppError('invalid_input', {}, { issues })
}
