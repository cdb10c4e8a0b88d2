import type { Generated } from 'kysely'
import type { BankAccountType } from '#contract/bank-accounts.ts'
import type { Flag, Instant } from '#db/columns.ts'

export interface BankAccountRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** Whose account it is at the bank. */
  name: string
  account_type: BankAccountType | null
  /** Sort code or routing number with the account number, sealed for this row and this provider. */
  sealed: string
  /** Which key sealed it. */
  key_id: string
  /** Keyed hash of the same: finds an account that is there already without opening any. */
  fingerprint: string
  /** Made by the form that added it. */
  add_key: string
  is_primary: Flag
  /** Grows with every edit. */
  version: number
  created_at: Instant
  updated_at: Instant
}

export interface BankAccountsTables {
  bank_accounts: BankAccountRow
}
