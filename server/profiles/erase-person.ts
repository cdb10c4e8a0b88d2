import { closeAccount } from '#server/auth/accounts/close-account.ts'
import { forgetRules } from '#server/availability/hours/save-hours.ts'
import { forgetBankAccounts } from '#server/bank-accounts/change-bank-accounts.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { forgetImportsOf } from '#server/imports/import-rows.ts'
import { forgetAddress } from '#server/messages/forget-address.ts'
import { forgetOutside } from '#server/outside-calendars/manage-outside.ts'
import { deleteFavouritesFor, deleteFavouritesOf } from './favourite-store.ts'
import { blankProvider, deleteConsentsOf, getDetails } from './store.ts'

/**
 * Erases the viewer's personal data from account and profile, within the transaction of the erasure; what
 * others need stays without it. It cannot be undone. The last email about it goes to the former address.
 */
export async function erasePerson(ctx: SignedIn, tx: Tx): Promise<void> {
  const { accountNo, userId } = ctx.session
  const account = await closeAccount(ctx, tx)
  const details = await getDetails(tx.db, accountNo)
  await forgetAddress(tx, { email: account.email, userId })
  await deleteConsentsOf(tx.db, accountNo)
  await deleteFavouritesOf(tx.db, accountNo)
  const { provider_no: no, provider_id: id } = details
  if (no !== null && id !== null) {
    await forgetRules(tx.db, no)
    await forgetOutside(tx, no)
    await forgetImportsOf(tx, no)
    await forgetBankAccounts(tx, no)
    await deleteFavouritesFor(tx.db, no)
    await blankProvider(tx.db, { no, id }, ctx.now())
    await tx.outbox.add('provider.changed', { providerId: id })
  }
  await tx.outbox.add('account.erased', { userId })
  for (const path of [account.profile_image, details.photo]) {
    if (path !== null) await tx.outbox.add('picture.dropped', { path })
  }
  await tx.audit.add({ action: 'account.erased', entity: userId })
}
