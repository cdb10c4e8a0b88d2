import type { Services } from '#server/context.ts'
import { sendLetter } from '#server/messages/send-letter.ts'
import { readScopes } from './show-access-token.ts'
import { findWithOwner } from './store.ts'
import { createdLetter } from './templates.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Mails the owner of a new token about it, unless the account was erased since. */
export async function deliverCreated(
  services: Services,
  errand: { tokenId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const found = await findWithOwner(database.db, errand.tokenId)
  if (found === undefined) return
  await sendLetter(services, {
    deliveryId: errand.deliveryId,
    to: found.email,
    userId: found.user_id,
    secrets: [],
    letter: createdLetter({
      firstName: found.first_name,
      name: found.name,
      scopes: readScopes(found.scopes),
      until: day.format(found.expires_at),
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    }),
  })
}
