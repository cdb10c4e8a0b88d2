import { useCallback } from 'react'
import { trpc } from '#app/trpc.ts'
import type { BankAccount } from '#contract/bank-accounts.ts'
import type { Region } from '#contract/region.ts'

const kinds = { checking: 'Checking account', savings: 'Savings account' } as const

/** What kind of account it is, above its number. */
export function kindWords({ account_type }: Pick<BankAccount, 'account_type'>): string {
  return account_type === null ? 'UK bank account' : kinds[account_type]
}

/** "ending in 5926": tells accounts apart where the number itself is not written. */
export function endingWords({ account_number, name }: BankAccount): string {
  const shown = account_number.replaceAll('•', '')
  return shown === '' ? `of ${name}` : `ending in ${shown}`
}

/** What the bank's own number is called where the practice is. */
export function codeLabel(region: Region): string {
  return region === 'uk' ? 'Sort code' : 'Routing number'
}

/** Fetches the list again; done when it is there. */
export function useAccountsChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.bankAccounts.list.invalidate(), [utils])
}
