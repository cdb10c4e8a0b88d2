import type { BankAccount, EditBankAccountInput } from '#contract/bank-accounts.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  auditStrangers,
  type Changing,
  changeBankAccounts,
  pickOwn,
} from './change-bank-accounts.ts'
import { oweNotice } from './owe-notice.ts'
import { assertRegion } from './rules.ts'
import { fingerprintOf, openNumbers, sealNumbers } from './seal-numbers.ts'
import { showBankAccount } from './show-bank-account.ts'
import { type Row, updateRow } from './store.ts'

async function update(
  ctx: SignedIn,
  changing: Changing,
  { input, before }: { input: EditBankAccountInput; before: Row },
): Promise<Row> {
  const { tx, owner, list } = changing
  const kept = openNumbers(ctx, before, owner.id)
  const numbers = {
    code: input.region === 'uk' ? input.sort_code : input.routing_number,
    number: input.account_number ?? kept.number,
  }
  const fingerprint = fingerprintOf(ctx, owner.id, numbers)
  if (list.some((row) => row.no !== before.no && row.fingerprint === fingerprint)) {
    throw new AppError('bank_account_known')
  }
  const account_type = input.region === 'usa' ? input.account_type : null
  const isSame =
    fingerprint === before.fingerprint &&
    input.name === before.name &&
    account_type === before.account_type
  if (isSame) return before
  const { sealed, keyId } = sealNumbers(ctx, { id: before.id, providerId: owner.id }, numbers)
  const row = await updateRow(tx.db, before.no, {
    name: input.name,
    account_type,
    sealed,
    key_id: keyId,
    fingerprint,
    version: before.version + 1,
    updated_at: ctx.now(),
  })
  await oweNotice(ctx, changing, { what: 'edited', row })
  await tx.audit.add({ action: 'bank.edited', entity: row.id })
  return row
}

/** Changes an account as it was last seen; without a number the one that is kept stays. */
export async function editBankAccount(
  ctx: SignedIn,
  input: EditBankAccountInput,
): Promise<BankAccount> {
  return auditStrangers(ctx, 'bankAccounts.edit', () =>
    changeBankAccounts(ctx, async (changing) => {
      const { owner } = changing
      const before = pickOwn(changing, input.id)
      assertRegion(input.region, owner.region)
      if (before.version !== input.version) throw new AppError('bank_account_changed')
      return showBankAccount(ctx, await update(ctx, changing, { input, before }), owner)
    }),
  )
}
