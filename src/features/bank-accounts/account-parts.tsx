import { BadgeCheck, Landmark, Pencil, Star, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import type * as z from 'zod/mini'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { type Form, useForm } from '#app/lib/forms/use-form.ts'
import { StepUpDialog, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioCards, TextInput } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Badge } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  type AddBankAccountInput,
  addInputs,
  type BankAccount,
  type BankAccountType,
  type EditBankAccountInput,
  editInputs,
} from '#contract/bank-accounts.ts'
import type { Region } from '#contract/base/region.ts'

/** Modal of the 'Add your account' tile. Typed values live only here. */
export function AddDialog({ region, onClose }: { region: Region; onClose: () => void }) {
  const { client } = trpc.useUtils()
  const proof = useStepUpState()
  const invalidate = useInvalidateAccounts()
  // Idempotency key of this opening of the form, so that submitting it twice adds one account.
  const [key] = useState(() => crypto.randomUUID())
  const schema: z.core.$ZodType<AddBankAccountInput> = addInputs[region]
  const form = useForm({
    blank: blankDetails,
    schema,
    toInput: (typed) => ({ ...regionDetails(region, typed), key }),
    send: (input) => proof.prove(() => client.bankAccounts.add.mutate(input)),
    onSent: async () => {
      await invalidate()
      onClose()
      void showToast('Your account is added.')
    },
    codeFields: { bank_account_known: 'account_number' },
  })
  return (
    <StepUpDialog title="Bank details" proof={proof} onClose={onClose}>
      <FormFrame form={form} label="Bank details" failureTitle="Your account wasn’t added">
        <DetailsFields region={region} form={form} kept={null} />
        <FormButtons send="Save account" isBusy={form.isBusy} onCancel={onClose} />
      </FormFrame>
    </StepUpDialog>
  )
}

type EditDialogProps = { account: BankAccount; region: Region; onClose: () => void }

/** Edits an account. The number is not known here: it is kept unless another is typed. */
export function EditDialog({ account, region, onClose }: EditDialogProps) {
  const { client } = trpc.useUtils()
  const proof = useStepUpState()
  const invalidate = useInvalidateAccounts()
  const schema: z.core.$ZodType<EditBankAccountInput> = editInputs[region]
  const form = useForm({
    blank: {
      ...blankDetails,
      name: account.name,
      [region === 'uk' ? 'sort_code' : 'routing_number']: account.bank_code,
      account_type: account.account_type ?? blankDetails.account_type,
    },
    schema,
    toInput: (typed) => {
      const { account_number, ...rest } = regionDetails(region, typed)
      const number = account_number.trim() === '' ? {} : { account_number }
      return { ...rest, ...number, id: account.id, version: account.version }
    },
    send: async (input) => {
      try {
        return await proof.prove(() => client.bankAccounts.edit.mutate(input))
      } catch (error) {
        const { code } = describeFailure(error)
        // The list behind this dialog is stale.
        if (code === 'bank_account_changed' || code === 'bank_account_not_found') void invalidate()
        throw error
      }
    },
    onSent: async () => {
      await invalidate()
      onClose()
      void showToast('Your account is saved.')
    },
    codeFields: { bank_account_known: 'account_number' },
  })
  return (
    <StepUpDialog title="Edit bank details" proof={proof} onClose={onClose}>
      <FormFrame form={form} label="Bank details" failureTitle="Nothing was changed">
        <DetailsFields region={region} form={form} kept={account.account_number} />
        <FormButtons send="Save account" isBusy={form.isBusy} onCancel={onClose} />
      </FormFrame>
    </StepUpDialog>
  )
}

/** Typed values: the fields of both regions, of which one set is shown and sent. */
type Details = {
  name: string
  sort_code: string
  routing_number: string
  account_number: string
  account_type: BankAccountType
}

const blankDetails: Details = {
  name: '',
  sort_code: '',
  routing_number: '',
  account_number: '',
  account_type: 'checking',
}

/** The typed values that the provider's region asks for. */
function regionDetails(region: Region, details: Details) {
  const { name, sort_code, routing_number, account_number, account_type } = details
  return region === 'uk'
    ? { region, name, sort_code, account_number }
    : { region, name, routing_number, account_number, account_type }
}

type DetailsFieldsProps = {
  region: Region
  form: Form<Details>
  /** The masked number that is kept when none is typed; null where one is required. */
  kept: string | null
}

/** Stops browsers from suggesting or storing account numbers. */
const digits = {
  inputMode: 'numeric',
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
} as const

const types = [
  { value: 'checking', label: 'Checking' },
  { value: 'savings', label: 'Savings' },
] as const

/** Fields of the bank details in the provider's region. */
function DetailsFields({ region, form, kept }: DetailsFieldsProps) {
  const isUk = region === 'uk'
  const length = isUk ? '8 digits.' : '4 to 17 digits.'
  return (
    <>
      <TextInput
        label="Name on the account"
        hint="Your name or your practice’s, as your bank has it."
        autoComplete="off"
        {...form.text('name')}
      />
      {isUk ? (
        <TextInput
          label="Sort code"
          hint="6 digits, such as 12-34-56."
          className="tabular max-w-44"
          {...digits}
          {...form.text('sort_code')}
        />
      ) : (
        <TextInput
          label="Routing number"
          hint="9 digits, at the bottom left of a check."
          className="tabular max-w-52"
          {...digits}
          {...form.text('routing_number')}
        />
      )}
      <TextInput
        label="Account number"
        hint={kept === null ? length : `Leave it empty to keep ${kept}.`}
        isOptional={kept !== null}
        className="tabular max-w-64"
        {...digits}
        {...form.text('account_number')}
      />
      {!isUk && (
        <RadioCards
          name={`${form.id}-account_type`}
          legend="Account type"
          choices={types}
          value={form.values.account_type}
          onChange={(account_type) => form.set('account_type', account_type)}
          isCompact
        />
      )}
    </>
  )
}

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
