import { outsideFailureWords } from '#contract/outside-calendars.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { failureOf } from './rules.ts'
import { findWithOwner } from './store.ts'
import { failingEmail } from './templates.ts'

/** Mails a provider that a calendar of theirs fails, unless it is gone or can be read again by now. */
export async function deliverFailing(
  services: Services,
  errand: { calendarId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const found = await findWithOwner(database.db, errand.calendarId)
  const failure = failureOf(found?.failure ?? null)
  if (found === undefined || failure === null) return
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: found.email,
    userId: found.user_id,
    secrets: [],
    content: failingEmail({
      firstName: found.first_name,
      name: found.name,
      why: outsideFailureWords[failure],
      site: config.publicUrl,
    }),
  })
}
