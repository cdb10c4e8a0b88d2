import * as z from 'zod/mini'
import { BankAccountId } from './base/ids.ts'
import { Region } from './base/region.ts'
import { IsoInstant } from './base/time.ts'

/** Accounts one provider may keep. */
export const MAX_BANK_ACCOUNTS = 5

/** The documented constant: how many digits of an account number are hidden. */
export const HIDDEN_DIGITS = 4

/** Most digits shown: account numbers in the USA have up to 17. */
const SHOWN_DIGITS = 4

/** An account number for display: the first four digits hidden, or all but the last four of a long one. */
export function maskedNumber(number: string): string {
  const hidden = Math.max(HIDDEN_DIGITS, number.length - SHOWN_DIGITS)
  return '•'.repeat(Math.min(hidden, number.length)) + number.slice(hidden)
}

const SEPARATORS = /[\s\p{Pd}\p{Cf}\u2212]/gu

/** Removes what people type between digits, or paste along with them. */
function stripSeparators(text: string): string {
  return text.replaceAll(SEPARATORS, '')
}

type Digits = {
  /** Message when nothing was typed. */
  missing: string
  /** "A sort code": starts the messages about it. */
  what: string
  /** What is wrong with a text of digits, or null. */
  problem: (digits: string) => string | null
}

function digitsOnly({ missing, what, problem }: Digits) {
  return z.string({ error: missing }).check(
    z.overwrite(stripSeparators),
    z.minLength(1, { error: missing, abort: true }),
    z.regex(/^[0-9]+$/, {
      error: `${what} can contain only digits. Spaces and dashes are fine.`,
      abort: true,
    }),
    z.superRefine((digits, context) => {
      const message = problem(digits)
      if (message !== null) context.addIssue({ code: 'custom', message })
    }),
  )
}

const isAllZeros = (digits: string) => /^0+$/.test(digits)

export const SortCode = digitsOnly({
  missing: 'Enter the sort code.',
  what: 'A sort code',
  problem: (digits) => {
    if (digits.length !== 6) return 'A sort code has 6 digits, such as 12-34-56.'
    return isAllZeros(digits) ? 'Enter a valid sort code.' : null
  },
})

/** 00 is reserved for the Treasury; the gaps between the ranges were never assigned. */
const ROUTING_PREFIX = /^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/
const ROUTING_WEIGHTS = [3, 7, 1]

/** Whether the check digit of an ABA routing number is right: weights 3, 7, 1, sum 0 modulo 10. */
export function isRoutingNumber(digits: string): boolean {
  if (!/^[0-9]{9}$/.test(digits) || !ROUTING_PREFIX.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    sum += Number(digits[at]) * (ROUTING_WEIGHTS[at % 3] ?? 0)
  }
  return sum % 10 === 0
}

export const RoutingNumber = digitsOnly({
  missing: 'Enter the routing number.',
  what: 'A routing number',
  problem: (digits) => {
    if (digits.length !== 9) return 'A routing number has 9 digits.'
    return isRoutingNumber(digits)
      ? null
      : 'This isn’t a valid routing number. Check it against one of your checks or your bank’s app.'
  },
})

const NUMBER_MISSING = 'Enter the account number.'
const NUMBER_INVALID = 'Enter a valid account number.'

export const UkAccountNumber = digitsOnly({
  missing: NUMBER_MISSING,
  what: 'An account number',
  problem: (digits) => {
    if (digits.length > 8) return 'An account number in the UK has 8 digits.'
    if (digits.length < 8) {
      return 'An account number in the UK has 8 digits. If yours has fewer, put zeros in front.'
    }
    return isAllZeros(digits) ? NUMBER_INVALID : null
  },
})

export const UsAccountNumber = digitsOnly({
  missing: NUMBER_MISSING,
  what: 'An account number',
  problem: (digits) => {
    if (digits.length < 4 || digits.length > 17) {
      return 'An account number in the USA has 4 to 17 digits.'
    }
    return isAllZeros(digits) ? NUMBER_INVALID : null
  },
})

export const BankAccountType = z.enum(['checking', 'savings'], {
  error: 'Choose checking or savings.',
})
export type BankAccountType = z.infer<typeof BankAccountType>

const NAME_MISSING = 'Enter the name on the account.'

/** A person or a practice. Account numbers are refused: names are not stored as securely. */
const AccountName = z.string({ error: NAME_MISSING }).check(
  z.trim(),
  z.minLength(1, { error: NAME_MISSING, abort: true }),
  z.maxLength(70, { error: 'Use 70 characters or fewer.' }),
  z.regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{DI}]*$/u, {
    error: 'Use only letters, numbers and punctuation.',
  }),
  z.refine<string>((name) => !/[0-9]{4}/.test(stripSeparators(name)), {
    error: 'Enter only the name here, not the account number.',
  }),
)

/** Generated when the form opens, so that submitting it twice adds one account. */
const AddKey = z.string().check(z.regex(/^[0-9a-f-]{36}$/))

/** Inputs of `bankAccounts.add` by region. A form knows its region; the server accepts either. */
export const addInputs = {
  uk: z.strictObject({
    region: z.literal('uk'),
    key: AddKey,
    name: AccountName,
    sort_code: SortCode,
    account_number: UkAccountNumber,
  }),
  usa: z.strictObject({
    region: z.literal('usa'),
    key: AddKey,
    name: AccountName,
    routing_number: RoutingNumber,
    account_number: UsAccountNumber,
    account_type: BankAccountType,
  }),
}
export type AddBankAccountInput = z.infer<(typeof addInputs)[Region]>

const editFields = {
  id: BankAccountId,
  /** Version of the account as it was shown: an edit of an older one is refused. */
  version: z.int(),
  name: AccountName,
}

/** Inputs of `bankAccounts.edit` by region. Without an account number, the stored one stays. */
export const editInputs = {
  uk: z.strictObject({
    ...editFields,
    region: z.literal('uk'),
    sort_code: SortCode,
    account_number: z.optional(UkAccountNumber),
  }),
  usa: z.strictObject({
    ...editFields,
    region: z.literal('usa'),
    routing_number: RoutingNumber,
    account_number: z.optional(UsAccountNumber),
    account_type: BankAccountType,
  }),
}
export type EditBankAccountInput = z.infer<(typeof editInputs)[Region]>

export const BankAccountRef = z.strictObject({ id: BankAccountId })
export type BankAccountRef = z.infer<typeof BankAccountRef>

/** An account as its owner sees it. The full number never leaves the server. */
export const BankAccount = z.object({
  id: BankAccountId,
  name: z.string(),
  /** Masked: `••••5678`. */
  account_number: z.string(),
  is_primary: z.boolean(),
  /** `12-34-56` in the UK, nine digits in the USA; both are printed in directories. */
  bank_code: z.string(),
  /** USA only. */
  account_type: z.nullable(BankAccountType),
  version: z.int(),
  added_at: IsoInstant,
})
export type BankAccount = z.infer<typeof BankAccount>

/** The primary account first, then in the order they were added. */
export const BankAccounts = z.object({ region: Region, accounts: z.array(BankAccount) })
export type BankAccounts = z.infer<typeof BankAccounts>

/** Input of `bankAccounts.add`; the region is the provider's own. */
export const AddBankAccountInput = z.discriminatedUnion('region', [addInputs.uk, addInputs.usa])

/** Input of `bankAccounts.edit`. */
export const EditBankAccountInput = z.discriminatedUnion('region', [editInputs.uk, editInputs.usa])
