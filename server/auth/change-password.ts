import type { ChangePasswordInput, Done } from '#contract/auth.ts'
import { endAccessTokens } from '#server/access-tokens/end-access-tokens.ts'
import type { SignedIn } from '#server/context.ts'
import { updateAccount } from './account-store.ts'
import { voidLinks } from './link-store.ts'
import { handOver, openSession } from './open-session.ts'
import { hashNewPassword, proveOwner, settleOwner } from './prove-password.ts'
import { endAllOf } from './session-store.ts'
import { writeLetter } from './write-letter.ts'

/** Changes the password, ends every session and begins a new one here: old tokens are dead. */
export async function changePassword(ctx: SignedIn, input: ChangePasswordInput): Promise<Done> {
  const account = await proveOwner(ctx, input.current_password)
  const hash = await hashNewPassword(ctx, input.new_password, 'new_password')
  const session = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    await settleOwner(ctx, tx, account)
    await updateAccount(tx.db, account.no, {
      password_hash: hash,
      must_change_password: 0,
      updated_at: now,
    })
    await voidLinks(tx.db, account.no, { purposes: ['reset_password', 'change_email'], now })
    const sessions = await endAllOf(tx.db, account.no, { reason: 'password', now })
    const tokens = await endAccessTokens(tx, account.no, { reason: 'password', now })
    await tx.audit.add({
      action: 'password.changed',
      entity: account.id,
      details: { sessions, tokens },
    })
    await writeLetter(ctx, tx, { letter: 'password_changed', account })
    return openSession(ctx, tx, { account, proved: true })
  })
  handOver(ctx, session)
  return { status: true }
}
