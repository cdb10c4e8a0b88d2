import { trpc } from '#app/trpc.ts'
import { scopeFacts, type TokenScope } from '#contract/access-tokens.ts'

/** Token lifetimes offered by the form, in days. */
export const LIFETIME_DAYS = [7, 30, 90, 180, 365] as const

/** The scope that includes this one, or null. */
export function widerScope(scope: TokenScope): string | null {
  return scope.endsWith(':read') ? scope.replace(/:read$/, ':write') : null
}

/** Scopes in words, as sentences. */
export function scopesText(scopes: readonly TokenScope[]): string {
  return scopes.map((scope) => scopeFacts[scope].words).join('. ')
}

/** Refetches the tokens after one was created or revoked. */
export function useInvalidateAccessTokens(): () => Promise<void> {
  const utils = trpc.useUtils()
  return () => utils.accessTokens.list.invalidate()
}
