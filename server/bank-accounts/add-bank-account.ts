import {
  type AddBankAccountInput,
  type BankAccount,
  MAX_BANK_ACCOUNTS,
} from '#contract/bank-accounts.ts'
import { toFlag } from '#db/columns.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type AccountsChange, changeBankAccounts, showBankAccount } from './change-bank-accounts.ts'
import { enqueueNotice } from './notices.ts'
import { assertRegion } from './rules.ts'
import { fingerprintOf, type Numbers, sealNumbers } from './seal-numbers.ts'
import { insertRow, type Row } from './store.ts'

function numbersOf(input: AddBankAccountInput): Numbers {
  const code = input.region === 'uk' ? input.sort_code : input.routing_number
  return { code, number: input.account_number }
}

type NewBankAccount = { input: AddBankAccountInput; fingerprint: string }

async function insert(
  ctx: SignedIn,
  changing: AccountsChange,
  adding: NewBankAccount,
): Promise<Row> {
  const { tx, owner, list } = changing
  const { input, fingerprint } = adding
  const now = ctx.now()
  const id = ctx.newId('bnk')
  const { sealed, keyId } = sealNumbers(ctx, { id, providerId: owner.id }, numbersOf(input))
  const row = await insertRow(tx.db, {
    id,
    provider_no: owner.no,
    name: input.name,
    account_type: input.region === 'usa' ? input.account_type : null,
    sealed,
    key_id: keyId,
    fingerprint,
    add_key: input.key,
    is_primary: toFlag(list.length === 0),
    version: 1,
    created_at: now,
    updated_at: now,
  })
  await enqueueNotice(ctx, changing, { what: 'added', row })
  await tx.audit.add({ action: 'bank.added', entity: id })
  return row
}

/** Adds an account; the first is the primary one. A form that is submitted twice adds it once. */
export async function addBankAccount(
  ctx: SignedIn,
  input: AddBankAccountInput,
): Promise<BankAccount> {
  return changeBankAccounts(ctx, async (changing) => {
    const { owner, list } = changing
    assertRegion(input.region, owner.region)
    const fingerprint = fingerprintOf(ctx, owner.id, numbersOf(input))
    const same = list.find(({ add_key }) => add_key === input.key)
    if (same !== undefined) {
      if (same.fingerprint !== fingerprint) throw new AppError('key_reused')
      return showBankAccount(ctx, same, owner)
    }
    if (list.some((row) => row.fingerprint === fingerprint)) {
      throw new AppError('bank_account_known')
    }
    if (list.length >= MAX_BANK_ACCOUNTS) throw new AppError('bank_accounts_full')
    return showBankAccount(ctx, await insert(ctx, changing, { input, fingerprint }), owner)
  })
}
