import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { trpc } from '#app/trpc.ts'
import type { Availability } from '#contract/availability.ts'

/** Shows what the server answered to a change, here and wherever times are seen. */
export function useMineSaved(): (mine: Availability) => Promise<void> {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  return useCallback(
    async (mine) => {
      utils.availability.mine.setData(undefined, mine)
      await client.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          Array.isArray(path) &&
          (path[0] === 'search' || (path[0] === 'availability' && path[1] !== 'mine')),
      })
    },
    [utils, client],
  )
}
