import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTrpc } from '#app/trpc.ts'
import type { OwnVerification } from '#contract/verification.ts'

/** How far the verification of the signed-in provider is. */
export function useOwnVerification() {
  return useQuery(useTrpc().verification.mine.queryOptions({}))
}

/** Every write of the room answers with how far it is now: keeps that in the place of what was read. */
export function useKeepVerification(): (now: OwnVerification) => void {
  const client = useQueryClient()
  const { queryKey } = useTrpc().verification.mine.queryOptions({})
  const [path] = queryKey
  return useCallback((now) => client.setQueryData([path, { input: {} }], now), [client, path])
}
