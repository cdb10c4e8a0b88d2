import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTrpc } from '#app/trpc.ts'
import type { Availability } from '#contract/availability.ts'

/** Everything the viewer has set. */
export function useMine() {
  return useQuery(useTrpc().availability.mine.queryOptions())
}

/** Shows what the server answered to a change, here and wherever times are seen. */
export function useMineSaved(): (mine: Availability) => Promise<void> {
  const { availability } = useTrpc()
  const client = useQueryClient()
  return useCallback(
    async (mine) => {
      const { queryKey } = availability.mine.queryOptions()
      client.setQueryData(queryKey, mine)
      await client.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          Array.isArray(path) &&
          (path[0] === 'search' || (path[0] === 'availability' && path[1] !== 'mine')),
      })
    },
    [availability, client],
  )
}
