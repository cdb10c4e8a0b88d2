import { trpc } from '#app/trpc.ts'

/** To call once a token was made or revoked. */
export function useAccessTokensChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return () => utils.accessTokens.list.invalidate()
}
