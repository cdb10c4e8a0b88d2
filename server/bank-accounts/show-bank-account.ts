import { type BankAccount, maskedNumber } from '#contract/bank-accounts.ts'
import { BankAccountId } from '#contract/ids.ts'
import { toIso } from '#contract/time.ts'
import type { Services } from '#server/context.ts'
import { printedCode } from './rules.ts'
import { openNumbers } from './seal-numbers.ts'
import type { Owner, Row } from './store.ts'

/** An account as its owner may see it: the only way from a row to the outside. */
export function showBankAccount(
  services: Pick<Services, 'vault'>,
  row: Row,
  owner: Pick<Owner, 'id' | 'region'>,
): BankAccount {
  const { code, number } = openNumbers(services, row, owner.id)
  return {
    id: BankAccountId.parse(row.id),
    name: row.name,
    account_number: maskedNumber(number),
    is_primary: row.is_primary === 1,
    bank_code: printedCode(code, owner.region),
    account_type: row.account_type,
    version: row.version,
    added_at: toIso(row.created_at),
  }
}
