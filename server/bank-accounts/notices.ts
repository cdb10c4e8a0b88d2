import { maskedNumber } from '#contract/bank-accounts.ts'
import type { Services, SignedIn } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { Changing } from './change-bank-accounts.ts'
import { openNumbers } from './seal-numbers.ts'
import { findAddressee, type Row } from './store.ts'
import { type NoticeKind, noticeEmail } from './templates.ts'

type Errand = { what: string; userId: string; account: string; deliveryId: string }

/** Mails a provider what happened to one of their accounts, unless they erased their own since. */
export async function deliverNotice(services: Services, errand: Errand): Promise<void> {
  const { config, database, secrets } = services
  const addressee = await findAddressee(database.db, errand.userId)
  if (addressee === undefined) return
  const content = noticeEmail(errand.what, {
    firstName: addressee.first_name,
    account: secrets.open('mail', errand.account),
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  })
  if (content === null) throw new Error(`There is no email "${errand.what}".`)
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: addressee.email,
    userId: addressee.id,
    secrets: [],
    content,
  })
}

/**
 * Owes the owner a mail about a change, in its transaction. The account goes along as it is shown, for
 * it may be gone by then; encrypted, because the outbox is a table like any other.
 */
export async function oweNotice(
  ctx: SignedIn,
  { tx, owner }: Changing,
  about: { what: NoticeKind; row: Row },
): Promise<void> {
  const { number } = openNumbers(ctx, about.row, owner.id)
  await tx.outbox.add('bank.changed', {
    what: about.what,
    userId: owner.user_id,
    account: ctx.secrets.seal('mail', `${about.row.name}, ${maskedNumber(number)}`),
  })
}
