import type { Db } from '#db/engine.ts'
import { firstTimes } from '#server/availability/slots/free-times.ts'
import {
  type CancelledFacts,
  cancelledEmail,
  cancelledNotice,
  providerLeftEmail,
  providerLeftNotice,
} from '#server/booking/cancelled-templates.ts'
import { linkZone } from '#server/booking/link-zone.ts'
import { confirmationEmail, noticeEmail } from '#server/booking/templates.ts'
import type { Services } from '#server/context.ts'
import type { MailFile } from '#server/gateways/mail.ts'
import type { EmailTopic, WordyTopic } from '#server/kernel/email-rules.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { sendEach, sendEmail } from '#server/messages/send-email.ts'
import type { Block, EmailContent } from '#server/messages/templates.ts'
import { calendarEmailFile } from './calendar-file.ts'
import { findCancellation } from './changes-store.ts'
import { openProvider } from './confirm-booking.ts'
import { linkOwnerOf, visitMac, visitUrl } from './read-visit.ts'
import { findVisit, type VisitRow } from './visit-store.ts'

/**
 * Emails the patient, with a calendar file, and the provider. Emails already sent are skipped, so that a
 * retry after one of the two failed does not repeat the other.
 */
export async function deliverConfirmation(
  services: Services,
  job: OutboxJob<'booking.confirmed'>,
): Promise<void> {
  const { config, database } = services
  const row = await findVisit(database.db, job.bookingId)
  if (row === undefined) throw new Error('The visit of a confirmation email does not exist.')
  // Cancelled before the confirmation went out: the cancellation email is enough.
  if (row.state === 'cancelled') return
  const site = { site: config.publicUrl, supportEmail: config.supportEmail }
  await sendEach(
    () =>
      emailPatient(services, row, {
        topic: 'booking.confirmed',
        deliveryId: job.deliveryId,
        content: (url) => confirmationEmail(row, { ...site, now: services.now(), visitUrl: url }),
        files: [calendarEmailFile(row, { config, method: 'REQUEST' })],
      }),
    () =>
      emailProvider(services, row, {
        topic: 'booking.confirmed',
        deliveryId: `${job.deliveryId}-provider`,
        content: noticeEmail(row, site),
      }),
  )
}

type VisitTopic = Extract<EmailTopic, `booking.${string}`>
type Content<Topic> = Topic extends WordyTopic ? EmailContent<Block> : EmailContent

type ProviderEmail<Topic> = {
  topic: Topic
  deliveryId: string
  content: Content<Topic>
  files?: MailFile[]
}

type PatientEmail<Topic> = Omit<ProviderEmail<Topic>, 'content'> & {
  /** The email, with the link of the visit. */
  content: (visitUrl: string) => Content<Topic>
}

/** Emails the patient of a visit; erased accounts have no address any more. */
export async function emailPatient<Topic extends VisitTopic>(
  services: Services,
  row: VisitRow,
  { content, ...email }: PatientEmail<Topic>,
): Promise<void> {
  if (row.patient_erased_at !== null) return
  const owner = linkOwnerOf(row)
  await sendEmail(services, {
    ...email,
    to: row.patient_email,
    userId: row.patient_id,
    secrets: [visitMac(services, owner)],
    content: content(visitUrl(services, owner)),
  })
}

/** Emails the provider of a visit, unless they have no address. */
export async function emailProvider<Topic extends VisitTopic>(
  services: Services,
  row: VisitRow,
  email: ProviderEmail<Topic>,
): Promise<void> {
  if (row.provider_email === '') return
  await sendEmail(services, {
    ...email,
    to: row.provider_email,
    userId: row.patient_erased_at === null ? row.patient_id : null,
    secrets: [],
  })
}

/** Times that an email links to. */
const MOST_LINKED = 3

/**
 * The next free times of a cancelled visit's provider without the cancelled time itself, for its type, and in the
 * zone by which the checkout reads them: that of the main place.
 */
async function nextFree(db: Db, row: VisitRow, now: number): Promise<CancelledFacts['free']> {
  const { provider_no: providerNo, type_no: typeNo, start_at: start } = row
  const next = { typeNo, after: now, limit: MOST_LINKED + 1 }
  const found = await firstTimes(db, providerNo, next)
  if (found === null) return null
  const times = found.times.filter((at) => at !== start).slice(0, MOST_LINKED)
  return { typeId: found.typeId, timeZone: await linkZone(db, row), times }
}

function namesIn(row: VisitRow): string[] {
  return [row.first_name, row.patient_first_name, row.patient_last_name].filter(Boolean)
}

/** Emails the patient and the provider that a visit is cancelled, with a file for both calendars. */
export async function deliverCancellation(
  services: Services,
  job: OutboxJob<'booking.cancelled'>,
): Promise<void> {
  const { config, database } = services
  const found = await findVisit(database.db, job.bookingId)
  if (found === undefined) throw new Error('The visit of a cancellation email does not exist.')
  const hasLeft = job.leaver !== undefined
  const row = job.leaver === undefined ? found : openProvider(services, job.leaver, found)
  const site = { site: config.publicUrl, supportEmail: config.supportEmail }
  const files = [calendarEmailFile(row, { config, method: 'CANCEL' })]
  const facts = {
    ...site,
    cancellation: await findCancellation(database.db, row.no),
    free: await nextFree(database.db, row, services.now()),
  }
  const deliveryId = `${job.deliveryId}-provider`
  const topic = 'booking.cancelled'
  await sendEach(
    () =>
      emailPatient(services, row, {
        topic,
        deliveryId: job.deliveryId,
        content: (url) =>
          hasLeft
            ? providerLeftEmail(row, facts)
            : cancelledEmail(row, { ...facts, visitUrl: url }),
        files,
      }),
    () =>
      hasLeft
        ? emailLeaver(services, row, {
            topic,
            deliveryId,
            content: providerLeftNotice(row, facts),
          })
        : emailProvider(services, row, {
            topic,
            deliveryId,
            content: cancelledNotice(row, facts),
            files,
          }),
  )
}

/** Emails a provider who erased the account; the stored copy must not identify them or name anyone. */
async function emailLeaver(
  services: Services,
  row: VisitRow,
  email: ProviderEmail<'booking.cancelled'>,
): Promise<void> {
  if (row.provider_email === '') return
  const secrets = namesIn(row)
  await sendEmail(services, { ...email, to: row.provider_email, secrets, userId: null })
}
