import type { Done } from '#contract/auth.ts'
import type { BankAccountRef } from '#contract/bank-accounts.ts'
import type { SignedIn } from '#server/context.ts'
import { auditStrangers, changeBankAccounts, pickOwn } from './change-bank-accounts.ts'
import { oweNotice } from './owe-notice.ts'
import { setPrimary } from './store.ts'

/** Makes one of the viewer's accounts the primary one; nothing happens when it is. */
export async function makePrimary(ctx: SignedIn, input: BankAccountRef): Promise<Done> {
  await auditStrangers(ctx, 'bankAccounts.makePrimary', () =>
    changeBankAccounts(ctx, async (changing) => {
      const { tx, owner } = changing
      const row = pickOwn(changing, input.id)
      if (row.is_primary === 1) return
      await setPrimary(tx.db, { providerNo: owner.no, no: row.no, now: ctx.now() })
      await oweNotice(ctx, changing, { what: 'primary', row })
      await tx.audit.add({ action: 'bank.primary_set', entity: row.id })
    }),
  )
  return { status: true }
}
