import type { TokenScope } from '#contract/access-tokens.ts'
import type { Access } from '#server/kernel/access.ts'
import { AppError } from '#server/kernel/errors.ts'

/** Why an access token is invalid. */
export type TokenFault = 'unknown' | 'revoked' | 'expired' | 'role' | 'account'

/**
 * The access token of a request. An invalid one grants no identity; its owner is known for the audit log
 * only.
 */
export type TokenUse =
  | { id: string; scopes: readonly TokenScope[]; fault: null }
  | { id: string | null; fault: TokenFault; owner: TokenOwner | null }

type TokenOwner = { kind: 'patient' | 'provider' | 'staff'; id: string }

/** Write access includes read access. */
function includes(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ':write'))
}

/** Refuses every call with an invalid token; does nothing for signed-in people. */
export function assertValidToken(token: TokenUse | null): void {
  if (token !== null && token.fault !== null) throw new AppError('access_token_invalid')
}

/** Refuses calls outside a token's scopes; does nothing for signed-in people. */
export function assertScope(token: TokenUse | null, { scope }: Pick<Access, 'scope'>): void {
  if (token === null || scope === 'any') return
  assertValidToken(token)
  if (scope === undefined) throw new AppError('access_token_never')
  const granted = token.fault === null ? token.scopes : []
  if (!includes(granted, scope)) throw new AppError('access_token_scope', { scope })
}
