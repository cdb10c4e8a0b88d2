import type { Context, Tx } from '#server/context.ts'
import { type Account, useFirstPassword } from './account-store.ts'

/**
 * Lets a password that a colleague typed open one session. Returned and not thrown, as all refusals of
 * the sign-in are: what was counted has to be committed.
 */
export async function spendFirstPassword(
  ctx: Context,
  tx: Tx,
  account: Account,
): Promise<'first_password_used' | null> {
  if (account.must_change_password === 0) return null
  if (await useFirstPassword(tx.db, account.no, ctx.now())) return null
  await tx.audit.add({
    action: 'session.refused',
    outcome: 'failed',
    entity: account.id,
    details: { kind: account.kind, code: 'first_password_used' },
  })
  return 'first_password_used'
}
