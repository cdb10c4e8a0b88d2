import type { Form } from '#app/lib/use-form.ts'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import type { BankAccountType } from '#contract/bank-accounts.ts'
import type { Region } from '#contract/region.ts'

/** What is typed; both regions' fields, of which one set is shown and sent. */
export type Details = {
  name: string
  sort_code: string
  routing_number: string
  account_number: string
  account_type: BankAccountType
}

export const blankDetails: Details = {
  name: '',
  sort_code: '',
  routing_number: '',
  account_number: '',
  account_type: 'checking',
}

/** The part of what was typed that the provider's region asks for. */
export function regionDetails(region: Region, details: Details) {
  const { name, sort_code, routing_number, account_number, account_type } = details
  return region === 'uk'
    ? { region, name, sort_code, account_number }
    : { region, name, routing_number, account_number, account_type }
}

type DetailsFieldsProps = {
  region: Region
  form: Form<Details>
  /** How the number is shown that stays when none is typed; null where one must be. */
  kept: string | null
}

/** Browsers must not offer numbers from other sites here, nor keep these. */
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

/** The fields of the bank details, as the provider's region has them. */
export function DetailsFields({ region, form, kept }: DetailsFieldsProps) {
  const isUk = region === 'uk'
  const length = isUk ? '8 digits.' : '4 to 17 digits.'
  return (
    <>
      <TextInput
        label="Name on the account"
        hint="Yours or your practice’s, as the bank has it."
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
          legend="Kind of account"
          choices={types}
          value={form.values.account_type}
          onChange={(account_type) => form.set('account_type', account_type)}
          isCompact
        />
      )}
    </>
  )
}
