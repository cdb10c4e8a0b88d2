import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTrpc } from '#app/trpc.ts'

/** Everybody on the staff, as they are when the page is opened: rights are no matter of half a minute. */
export function useSuperUsers() {
  return useQuery({ ...useTrpc().superUsers.list.queryOptions(), staleTime: 0 })
}

/** Fetches the list again; done when it is there. */
export function useSuperUsersChanged(): () => Promise<void> {
  const client = useQueryClient()
  const { queryKey } = useTrpc().superUsers.list.queryOptions()
  const [path] = queryKey
  return useCallback(() => client.invalidateQueries({ queryKey: [path] }), [client, path])
}
