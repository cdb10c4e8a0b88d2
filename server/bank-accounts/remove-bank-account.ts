import type { Done } from '#contract/auth.ts'
import type { BankAccountRef } from '#contract/bank-accounts.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { auditStrangers, changeBankAccounts, pickOwn } from './change-bank-accounts.ts'
import { oweNotice } from './owe-notice.ts'
import { nextPrimary } from './rules.ts'
import { deleteRow, setPrimary } from './store.ts'

/** Deletes an account, never the last one. Deleting the primary one makes the oldest other primary. */
export async function removeBankAccount(ctx: SignedIn, input: BankAccountRef): Promise<Done> {
  await auditStrangers(ctx, 'bankAccounts.remove', () =>
    changeBankAccounts(ctx, async (changing) => {
      const { tx, owner, list } = changing
      const row = pickOwn(changing, input.id)
      if (list.length === 1) throw new AppError('bank_account_last')
      const heir = nextPrimary(list, row)
      await oweNotice(ctx, changing, { what: 'deleted', row })
      await deleteRow(tx.db, row.no)
      await tx.audit.add({ action: 'bank.deleted', entity: row.id })
      if (heir === null) return
      await setPrimary(tx.db, { providerNo: owner.no, no: heir.no, now: ctx.now() })
      await oweNotice(ctx, changing, { what: 'primary', row: heir })
      await tx.audit.add({ action: 'bank.primary_set', entity: heir.id })
    }),
  )
  return { status: true }
}
