import type { Services } from '#server/context.ts'
import type { Mail, MailFile } from '#server/gateways/mail.ts'
import { findByMessageId, insertMail } from './store.ts'
import { type EmailContent, renderHtml, renderText } from './templates.ts'

type OutgoingEmail = {
  /** Id of the delivery, so that an email sent twice is recognised as one. */
  deliveryId: string
  to: string
  content: EmailContent
  /** Secret parts of the email, such as codes and links, to be removed from the record. */
  secrets: string[]
  /** The account it is about; null when that was just erased, so that nothing leads back to it. */
  userId: string | null
  files?: MailFile[]
  /** One-click unsubscribe address, for optional emails. */
  unsubscribe?: string
}

const REMOVED = '[removed]'

function redact(text: string, secrets: string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text)
}

/** The recorded form of a sent email, without secrets: copies of the table must grant no access. */
function redactedMail({ files, ...mail }: Mail, { secrets, userId }: OutgoingEmail): Mail {
  const redacted = { ...mail, text: redact(mail.text, secrets), html: redact(mail.html, secrets) }
  // A calendar file names its owner.
  if (userId === null) return { ...redacted, to: '' }
  return files === undefined ? redacted : { ...redacted, files }
}

/**
 * Sends an email and records it; the demo mailbox records it in full. An email already on record was sent
 * before and is not sent again.
 */
export async function sendEmail(services: Services, sending: OutgoingEmail): Promise<void> {
  const { content, userId } = sending
  const mail: Mail = {
    messageId: `${sending.deliveryId}@${new URL(services.config.publicUrl).hostname}`,
    to: sending.to,
    replyTo: null,
    subject: content.subject ?? content.heading,
    text: renderText(content),
    html: renderHtml(content),
    ...(sending.files === undefined ? {} : { files: sending.files }),
    ...(sending.unsubscribe === undefined ? {} : { unsubscribe: sending.unsubscribe }),
  }
  if ((await findByMessageId(services.database.db, mail.messageId)) !== undefined) return
  const wasSent = (await services.mail.send(mail)) === 'sent'
  await insertMail(services.database.db, {
    id: services.newId('eml'),
    mail: wasSent ? redactedMail(mail, sending) : mail,
    wasSent,
    ...(userId === null ? {} : { userId }),
    now: services.now(),
  })
}
