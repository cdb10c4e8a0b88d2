import { scopesFor, type TokenScope } from '#contract/access-tokens.ts'
import type { Session } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { TokenFault } from '#server/kernel/security/token-scopes.ts'

const DAY = 24 * 3_600_000

/** In front of every token, so that scanners of code and logs recognise one that got lost. */
export const TOKEN_PREFIX = 'apo_'

/** Uses are written down no more often than this, unless they come from elsewhere. */
export const TOUCH_EVERY_MS = 60_000

/** Expired ones are shown for that long, and ended ones kept. */
export const KEEP_MS = 30 * DAY

/** When a token made now for a number of days ends. */
export function expiryOf(now: number, days: number): number {
  return now + days * DAY
}

type Lived = {
  ended_at: number | null
  expires_at: number
  role: string | null
  owner_role: string | null
  suspended_at: number | null
  erased_at: number | null
}

/** Why a token is good for nothing at an instant, or null while it is good. */
export function faultOf(row: Lived, now: number): TokenFault | null {
  if (row.ended_at !== null) return 'revoked'
  if (now >= row.expires_at) return 'expired'
  if (row.suspended_at !== null || row.erased_at !== null) return 'account'
  return row.role === row.owner_role ? null : 'role'
}

/** Refuses scopes that mean nothing for an account of this kind. */
export function assertScopesFor(kind: Session['kind'], scopes: readonly TokenScope[]): void {
  const mine = scopesFor(kind)
  if (scopes.every((scope) => mine.includes(scope))) return
  const issues = [{ path: 'scopes', message: 'Your account has nothing like that.' }]
  throw new AppError('invalid_input', {}, { issues })
}
