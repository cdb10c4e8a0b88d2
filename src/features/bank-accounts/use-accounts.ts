import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTrpc } from '#app/trpc.ts'

/** The provider's own accounts, masked. */
export function useAccounts() {
  return useQuery(useTrpc().bankAccounts.list.queryOptions())
}

/** Fetches the list again; done when it is there. */
export function useAccountsChanged(): () => Promise<void> {
  const client = useQueryClient()
  const { queryKey } = useTrpc().bankAccounts.list.queryOptions()
  const [path] = queryKey
  return useCallback(() => client.invalidateQueries({ queryKey: [path] }), [client, path])
}
