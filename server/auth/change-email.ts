import type { ChangeEmailInput, Done } from '#contract/auth.ts'
import type { SignedIn } from '#server/context.ts'
import { findByEmail } from './account-store.ts'
import { createLink } from './create-link.ts'
import { proveOwner, settleOwner } from './prove-password.ts'
import { tellOwner } from './tell-owner.ts'
import { writeLetter } from './write-letter.ts'

/**
 * Begins the change of an address: it happens when the link mailed to the new one is followed. The
 * old address learns of it at once. A taken address gets the same answer, and its owner a mail.
 */
export async function changeEmail(ctx: SignedIn, input: ChangeEmailInput): Promise<Done> {
  const account = await proveOwner(ctx, input.password)
  await ctx.transaction(async (tx) => {
    await settleOwner(ctx, tx, account)
    await tx.attempts.take('verification', `change ${account.id}`)
    const taken = await findByEmail(tx.db, account.kind, input.email)
    if (taken === undefined) {
      const link = { purpose: 'change_email', accountNo: account.no, email: input.email } as const
      const secret = await createLink(ctx, tx, link)
      await writeLetter(ctx, tx, { letter: 'confirm_address', account, secret, to: input.email })
    } else if (taken.no !== account.no) {
      await tellOwner(ctx, tx, taken)
    }
    await writeLetter(ctx, tx, { letter: 'address_change_asked', account })
    await tx.audit.add({ action: 'account.email_change_asked', entity: account.id })
  })
  return { status: true }
}
