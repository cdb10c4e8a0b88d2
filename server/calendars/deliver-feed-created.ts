import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { findWithOwner } from './store.ts'
import { feedCreatedEmail } from './templates.ts'

/** Mails the owner of a new calendar link about it, unless it is revoked or the account erased since. */
export async function deliverFeedCreated(
  services: Services,
  errand: { feedId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const found = await findWithOwner(database.db, errand.feedId)
  if (found === undefined) return
  const names = found.shows_names === 1 ? ' and the first names of your patients' : ''
  const ofPatient = 'when and where your visits are, and with whom'
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: found.email,
    userId: found.user_id,
    secrets: [],
    content: feedCreatedEmail({
      firstName: found.first_name,
      name: found.name,
      shows: found.kind === 'patient' ? ofPatient : `when and where your visits are${names}`,
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    }),
  })
}
