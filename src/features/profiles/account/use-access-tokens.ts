import { trpc } from '#app/trpc.ts'

/** The viewer's tokens for scripts. */
export function useAccessTokens() {
  return trpc.accessTokens.list.useQuery()
}

/** To call once a token was made or revoked. */
export function useAccessTokensChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return () => utils.accessTokens.list.invalidate()
}
