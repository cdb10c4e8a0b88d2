import { html } from 'hono/html'
import { type Services, systemContext, type Tx } from '#server/context.ts'
import type { Mail, MailFile } from '#server/gateways/mail.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { type EmailTopic, emailRules, type WordyTopic } from '#server/kernel/email-rules.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { claimMessages, deleteByAddress, findByMessageId, insertMail, lockErased } from './store.ts'
import { type Block, type EmailContent, renderHtml, renderText } from './templates.ts'

type OutgoingEmail<Topic extends EmailTopic = EmailTopic> = {
  /** Its row in `email-rules.ts`. */
  topic: Topic
  /** Id of the delivery, so that an email sent twice is recognised as one. */
  deliveryId: string
  to: string
  replyTo?: string
  /** Another person's own words (`quote`) only where the row allows them. */
  content: Topic extends WordyTopic ? EmailContent<Block> : EmailContent
  /** Secret parts of the email, such as codes and links, to be removed from the record. */
  secrets: string[]
  /** The account it is about, if any; null when that was just erased, so that nothing leads back to it. */
  userId?: string | null
  files?: MailFile[]
  /** One-click unsubscribe address, for optional emails. */
  unsubscribe?: string
}

const REMOVED = '[removed]'

function redact(text: string, secrets: string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text)
}

/** The recorded form of a sent email, without secrets: copies of the table must grant no access. */
async function redactedMail(
  { files, ...mail }: Mail,
  { secrets, userId }: OutgoingEmail,
): Promise<Mail> {
  // As in the HTML body: a name may contain an apostrophe.
  const escaped = await Promise.all(
    secrets.map(async (secret) => (await html`${secret}`).toString()),
  )
  const redacted = { ...mail, text: redact(mail.text, secrets), html: redact(mail.html, escaped) }
  // A calendar file names its owner.
  if (userId === null) return { ...redacted, to: '' }
  return files === undefined ? redacted : { ...redacted, files }
}

/** The link may have been used while the email waited. */
function isStopped(services: Services, to: string): Promise<boolean> {
  return systemContext(services, 'mail').transaction((tx) => tx.stopped.has(to))
}

/**
 * Sends an email and records it; the demo mailbox records it in full. An email already on record was sent
 * before and is not sent again; nothing is sent to an erased address, or to one whose owner has stopped such emails.
 */
export async function sendEmail<Topic extends EmailTopic>(
  services: Services,
  sending: OutgoingEmail<Topic>,
): Promise<void> {
  if (isErasedAddress(sending.to)) return
  const { db } = services.database
  const { isStoppable } = emailRules[sending.topic]
  if (isStoppable && (await isStopped(services, sending.to))) return
  const { content } = sending
  const mail: Mail = {
    messageId: `${sending.deliveryId}@${new URL(services.config.publicUrl).hostname}`,
    to: sending.to,
    replyTo: sending.replyTo ?? null,
    subject: content.subject ?? content.heading,
    text: renderText(content),
    html: await renderHtml(content),
    ...(sending.files === undefined ? {} : { files: sending.files }),
    ...(sending.unsubscribe === undefined ? {} : { unsubscribe: sending.unsubscribe }),
  }
  if ((await findByMessageId(db, mail.messageId)) !== undefined) return
  const wasSent = (await services.mail.send(mail)) === 'sent'
  await record(services, sending, { mail, wasSent })
}

type Outcome = { mail: Mail; wasSent: boolean }

/** Records an email. Of one whose account was erased while it was being sent, only the subject is kept. */
async function record(
  { database, newId, now }: Services,
  sending: OutgoingEmail,
  { mail, wasSent }: Outcome,
): Promise<void> {
  const { userId = null } = sending
  const recorded = wasSent ? await redactedMail(mail, sending) : mail
  const { messageId, subject } = mail
  const blank: Mail = { messageId, to: '', replyTo: null, subject, text: '', html: '' }
  await database.transaction(async (db) => {
    const isErased = userId !== null && (await lockErased(db, userId))
    await insertMail(db, {
      id: newId('eml'),
      mail: isErased ? blank : recorded,
      wasSent,
      userId: isErased ? null : userId,
      now: now(),
    })
  })
}

/** Whether the mail server has refused an email, rather than not responded. */
function isRefusal(error: unknown): boolean {
  const cause = error instanceof UpstreamError ? error.cause : null
  if (!(cause instanceof Error)) return false
  return 'responseCode' in cause || ('code' in cause && cause.code === 'EENVELOPE')
}

/**
 * Sends several emails, one after the other: an address that the mail server refuses must not keep the others
 * from theirs. Then throws the first failure, so that the delivery is retried. Stops at a failure of another
 * kind, because two timeouts would outlast the delivery's lease.
 */
export async function sendEach(...emails: (() => Promise<void>)[]): Promise<void> {
  const refusals: unknown[] = []
  for (const send of emails) {
    try {
      await send()
    } catch (error) {
      if (!isRefusal(error)) throw error
      refusals.push(error)
    }
  }
  if (refusals.length > 0) throw refusals[0]
}

type Owner = { email: string; userId: string }

/** Keeps a person's messages theirs when they change their address, in the transaction that does. */
export async function keepMessages(tx: Tx, owner: Owner): Promise<void> {
  await claimMessages(tx.db, owner)
}

/** Deletes a person's messages and emails, in the transaction that erases their account. */
export async function eraseMessages(tx: Tx, owner: Owner): Promise<void> {
  await deleteByAddress(tx.db, owner)
}
