import { useCallback } from 'react'
import { trpc } from '#app/trpc.ts'

/** Fetches the list again; done when it is there. */
export function useSuperUsersChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.superUsers.list.invalidate(), [utils])
}
