import type { SignOutAnswer } from '#contract/auth.ts'
import { closeAccount } from '#server/auth/close-account.ts'
import { assertSteppedUp } from '#server/auth/rules.ts'
import { signOut } from '#server/auth/sign-out.ts'
import { useVerifiedCode } from '#server/auth/use-verified-code.ts'
import { forgetRules } from '#server/availability/forget-rules.ts'
import { forgetBankAccounts } from '#server/bank-accounts/forget-bank-accounts.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { forgetAddress } from '#server/messages/forget-address.ts'
import { blankProvider, deleteConsentsOf, getDetails } from './store.ts'

/** Either will do: a mailed code, which is used up, or a proof of the last five minutes. */
async function assertProved(ctx: SignedIn, tx: Tx): Promise<void> {
  const { accountNo } = ctx.session
  const code = { accountNo, purpose: 'erase', object: '', now: ctx.now() }
  if (!(await useVerifiedCode(tx, code))) assertSteppedUp(ctx.session, ctx.now())
}

/**
 * Erases the viewer's account: what names the person goes, what others need stays without them. It
 * cannot be undone. The last mail about it goes to the address that was.
 */
export async function erase(ctx: SignedIn): Promise<SignOutAnswer> {
  await ctx.transaction(async (tx) => {
    await assertProved(ctx, tx)
    const { accountNo, userId } = ctx.session
    const account = await closeAccount(ctx, tx)
    const details = await getDetails(tx.db, accountNo)
    await forgetAddress(tx, { email: account.email, userId })
    await deleteConsentsOf(tx.db, accountNo)
    const { provider_no: no, provider_id: id } = details
    if (no !== null && id !== null) {
      await forgetRules(tx.db, no)
      await forgetBankAccounts(tx, no)
      await blankProvider(tx.db, { no, id }, ctx.now())
      await tx.outbox.add('provider.changed', { providerId: id })
    }
    await tx.outbox.add('account.erased', { userId })
    for (const path of [account.profile_image, details.photo]) {
      if (path !== null) await tx.outbox.add('picture.dropped', { path })
    }
    await tx.audit.add({ action: 'account.erased', entity: userId })
  })
  return signOut(ctx)
}
