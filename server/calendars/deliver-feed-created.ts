import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { findWithOwner } from './store.ts'

/** Emails the owner of a new calendar link, unless it was revoked or the account erased since. */
export async function deliverFeedCreated(
  services: Services,
  job: { feedId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const found = await findWithOwner(database.db, job.feedId)
  if (found === undefined) return
  const names = found.shows_names === 1 ? ' and the first names of your patients' : ''
  const ofPatient = 'when and where your visits are, and with whom'
  await sendEmail(services, {
    deliveryId: job.deliveryId,
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

type CreatedFacts = {
  firstName: string
  name: string
  /** What the bearer of the URL can see. */
  shows: string
  site: string
  supportEmail: string
}

/** Email to the account owner that a calendar link was created, and what it reveals. */
function feedCreatedEmail(facts: CreatedFacts): EmailContent {
  const { firstName, name, shows, site, supportEmail } = facts
  return {
    heading: 'A calendar link was created',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nA private calendar link was created for your account. Anyone who has it can see ${shows}.`,
      },
      { kind: 'facts', rows: [['Link', name]] },
      { kind: 'link', label: 'See your calendar links', url: `${site}/userProfile#feeds` },
      {
        kind: 'small',
        text: `If this wasn’t you, revoke it there, change your password and write to ${supportEmail}.`,
      },
    ],
  }
}
