import { useState } from 'react'
import type * as z from 'zod/mini'
import { describeFailure } from '#app/lib/errors.ts'
import { type Form, useForm } from '#app/lib/use-form.ts'
import { StepUpDialog, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { TextInput } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  type AddBankAccountInput,
  addInputs,
  type BankAccount,
  type BankAccountType,
  type EditBankAccountInput,
  editInputs,
} from '#contract/bank-accounts.ts'
import type { Region } from '#contract/region.ts'
import { useInvalidateAccounts } from './account-card.tsx'

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
      <FormFrame form={form} label="Bank details" failureTitle="Your account was not added">
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
