import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTrpc } from '#app/trpc.ts'

/** The viewer's tokens for scripts. */
export function useAccessTokens() {
  return useQuery(useTrpc().accessTokens.list.queryOptions())
}

/** To call once a token was made or revoked. */
export function useAccessTokensChanged(): () => Promise<void> {
  const client = useQueryClient()
  const { queryKey } = useTrpc().accessTokens.list.queryOptions()
  return () => client.invalidateQueries({ queryKey })
}
