import { BadgeCheck, Landmark, Pencil, Star, Trash2 } from 'lucide-react'
import { useCallback } from 'react'
import { cx } from '#app/lib/cx.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Badge } from '#app/ui/notice.tsx'
import type { BankAccount } from '#contract/bank-accounts.ts'
import type { Region } from '#contract/region.ts'

const icon = { 'aria-hidden': true, className: 'size-4' } as const

type FaceProps = { account: BankAccount; region: Region; isCompact?: boolean }

/** The account in the style of a bank card; the server has already masked its number. */
export function AccountFace({ account, region, isCompact = false }: FaceProps) {
  const { name, account_number, is_primary, bank_code } = account
  const hidden = account_number.replaceAll(/[0-9]/g, '')
  return (
    <div
      className={cx(
        'flex flex-1 flex-col gap-4 p-4 sm:p-5',
        is_primary ? 'bg-tint' : 'bg-sunken',
        !isCompact && 'min-h-44',
      )}
    >
      <div className="flex min-h-8 items-start justify-between gap-3">
        <p className="flex items-center gap-2 text-sm font-medium text-muted">
          <Landmark aria-hidden="true" className={cx('size-5', is_primary && 'text-brand')} />
          {accountTypeText(account)}
        </p>
        {is_primary && (
          <Badge tone="solid">
            <BadgeCheck {...icon} />
            Primary
          </Badge>
        )}
      </div>
      <p className="tabular mt-auto text-2xl font-semibold tracking-wider">
        <span aria-hidden="true">
          {hidden}
          <span className="ml-1.5">{account_number.slice(hidden.length)}</span>
        </span>
        <span className="sr-only">Account number {endingText(account)}</span>
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-4">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="tabular text-right text-sm text-muted">
          <span className="block">{codeLabel(region)} </span>
          <span className="text-ink">{bank_code}</span>
        </p>
      </div>
    </div>
  )
}

type AccountCardProps = {
  account: BankAccount
  region: Region
  isBusy: boolean
  onEdit: () => void
  onDelete: () => void
  onMakePrimary: () => void
}

/** One account with its actions. */
export function AccountCard(props: AccountCardProps) {
  const { account, region, isBusy, onEdit, onDelete, onMakePrimary } = props
  const which = <span className="sr-only"> account {endingText(account)}</span>
  return (
    <li
      className={cx(
        'flex flex-col overflow-hidden rounded-card border bg-surface',
        account.is_primary ? 'border-brand' : 'border-line',
      )}
    >
      <AccountFace account={account} region={region} />
      <div className="flex flex-wrap gap-2 border-t border-line p-3">
        <Button variant="secondary" onClick={onEdit}>
          <Pencil {...icon} />
          <span>Edit{which}</span>
        </Button>
        <Button variant="dangerQuiet" onClick={onDelete}>
          <Trash2 {...icon} />
          <span>Delete{which}</span>
        </Button>
        {!account.is_primary && (
          <Button variant="quiet" isBusy={isBusy} onClick={onMakePrimary}>
            <Star {...icon} />
            <span>
              Make primary<span className="sr-only">: account {endingText(account)}</span>
            </span>
          </Button>
        )}
      </div>
    </li>
  )
}

const accountTypeLabels = { checking: 'Checking account', savings: 'Savings account' } as const

/** The account's type, shown above its number. */
function accountTypeText({ account_type }: Pick<BankAccount, 'account_type'>): string {
  return account_type === null ? 'UK bank account' : accountTypeLabels[account_type]
}

/** "ending in 5926": identifies an account where the number is not shown. */
export function endingText({ account_number, name }: BankAccount): string {
  const shown = account_number.replaceAll('•', '')
  return shown === '' ? `of ${name}` : `ending in ${shown}`
}

/** Name of the bank's identifier in the practice's region. */
function codeLabel(region: Region): string {
  return region === 'uk' ? 'Sort code' : 'Routing number'
}

/** Refetches the list; resolves once it is loaded. */
export function useInvalidateAccounts(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.bankAccounts.list.invalidate(), [utils])
}
