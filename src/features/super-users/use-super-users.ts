import { useCallback } from 'react'
import { trpc } from '#app/trpc.ts'

/** Everybody on the staff, as they are when the page is opened: rights are no matter of half a minute. */
export function useSuperUsers() {
  return trpc.superUsers.list.useQuery(undefined, { staleTime: 0 })
}

/** Fetches the list again; done when it is there. */
export function useSuperUsersChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.superUsers.list.invalidate(), [utils])
}
