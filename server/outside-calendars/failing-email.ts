import { outsideFailureMessages } from '#contract/outside-calendars.ts'
import type { Services } from '#server/context.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { parseFailure } from './read-calendars.ts'
import { findWithOwner } from './store.ts'

/** Emails a provider that one of their calendars fails, unless it was removed or can be read again. */
export async function deliverFailing(
  services: Services,
  job: OutboxJob<'outside.failing'>,
): Promise<void> {
  const { config, database } = services
  const found = await findWithOwner(database.db, job.calendarId)
  const failure = parseFailure(found?.failure ?? null)
  if (found === undefined || failure === null) return
  await sendEmail(services, {
    topic: 'outside.failing',
    deliveryId: job.deliveryId,
    to: found.email,
    userId: found.user_id,
    secrets: [],
    content: failingEmail({
      firstName: found.first_name,
      name: found.name,
      why: outsideFailureMessages[failure],
      site: config.publicUrl,
    }),
  })
}

type FailingFacts = {
  firstName: string
  name: string
  /** The failure, in a sentence. */
  why: string
  site: string
}

/** Email to a provider that an outside calendar could not be read for a day and is paused. */
function failingEmail({ firstName, name, why, site }: FailingFacts): EmailContent {
  return {
    heading: 'We can’t read one of your calendars',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nWe haven’t been able to read one of your other calendars for a day, so we’ve stopped trying. Times we knew to be busy stay blocked, but patients may book times you have filled since.`,
      },
      {
        kind: 'facts',
        rows: [
          ['Calendar', name],
          ['Problem', why],
        ],
      },
      {
        kind: 'link',
        label: 'See your other calendars',
        url: `${site}/doctor/availability/calendars`,
      },
      {
        kind: 'small',
        text: 'When you’ve checked its address and that it’s still shared, choose Resume there.',
      },
    ],
  }
}
