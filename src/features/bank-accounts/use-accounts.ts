import { useCallback } from 'react'
import { trpc } from '#app/trpc.ts'

/** The provider's own accounts, masked. */
export function useAccounts() {
  return trpc.bankAccounts.list.useQuery()
}

/** Fetches the list again; done when it is there. */
export function useAccountsChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.bankAccounts.list.invalidate(), [utils])
}
