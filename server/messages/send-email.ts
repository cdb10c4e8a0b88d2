import type { Services } from '#server/context.ts'
import type { Mail, MailFile } from '#server/gateways/mail.ts'
import { findByMessageId, insertMail } from './store.ts'
import { type EmailContent, renderHtml, renderText } from './templates.ts'

type Sending = {
  /** Of the delivery, so that a mail sent twice is recognised as one. */
  deliveryId: string
  to: string
  content: EmailContent
  /** Parts of the email that open something. */
  secrets: string[]
  /** The account it is about; null when that has just been erased, and nothing may lead back. */
  userId: string | null
  files?: MailFile[]
  /** Address that ends emails of its kind, for those nobody has to get. */
  unsubscribe?: string
}

const REMOVED = '[removed]'

function without(text: string, secrets: string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text)
}

/** What is kept of a mail that has left: copies of the table must open nothing. */
function forTheRecord({ files, ...mail }: Mail, { secrets, userId }: Sending): Mail {
  const told = { ...mail, text: without(mail.text, secrets), html: without(mail.html, secrets) }
  // A calendar file names whose calendar it is for.
  if (userId === null) return { ...told, to: '' }
  return files === undefined ? told : { ...told, files }
}

/**
 * Sends an email and keeps a record of it; the demo mailbox keeps it whole, to be read there. An email
 * that is on record has left before, and does not leave again.
 */
export async function sendEmail(services: Services, sending: Sending): Promise<void> {
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
    mail: wasSent ? forTheRecord(mail, sending) : mail,
    wasSent,
    ...(userId === null ? {} : { userId }),
    now: services.now(),
  })
}
