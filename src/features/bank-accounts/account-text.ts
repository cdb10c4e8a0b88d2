import { useCallback } from 'react'
import { trpc } from '#app/trpc.ts'
import type { BankAccount } from '#contract/bank-accounts.ts'
import type { Region } from '#contract/region.ts'

const accountTypeLabels = { checking: 'Checking account', savings: 'Savings account' } as const

/** The account's type, shown above its number. */
export function accountTypeText({ account_type }: Pick<BankAccount, 'account_type'>): string {
  return account_type === null ? 'UK bank account' : accountTypeLabels[account_type]
}

/** "ending in 5926": identifies an account where the number is not shown. */
export function endingText({ account_number, name }: BankAccount): string {
  const shown = account_number.replaceAll('•', '')
  return shown === '' ? `of ${name}` : `ending in ${shown}`
}

/** Name of the bank's identifier in the practice's region. */
export function codeLabel(region: Region): string {
  return region === 'uk' ? 'Sort code' : 'Routing number'
}

/** Refetches the list; resolves once it is loaded. */
export function useInvalidateAccounts(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.bankAccounts.list.invalidate(), [utils])
}
