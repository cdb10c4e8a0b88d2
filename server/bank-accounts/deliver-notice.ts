import type { Services } from '#server/context.ts'
import { sendLetter } from '#server/messages/send-letter.ts'
import { findAddressee } from './store.ts'
import { noticeLetter } from './templates.ts'

type Errand = { what: string; userId: string; account: string; deliveryId: string }

/** Mails a provider what happened to one of their accounts, unless they erased their own since. */
export async function deliverNotice(services: Services, errand: Errand): Promise<void> {
  const { config, database, secrets } = services
  const addressee = await findAddressee(database.db, errand.userId)
  if (addressee === undefined) return
  const letter = noticeLetter(errand.what, {
    firstName: addressee.first_name,
    account: secrets.open('mail', errand.account),
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  })
  if (letter === null) throw new Error(`There is no letter "${errand.what}".`)
  await sendLetter(services, {
    deliveryId: errand.deliveryId,
    to: addressee.email,
    userId: addressee.id,
    secrets: [],
    letter,
  })
}
