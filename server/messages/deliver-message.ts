import type { Services } from '#server/context.ts'
import type { Mail } from '#server/gateways/mail.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { findMessage, insertMail } from './store.ts'
import { type Block, renderHtml, renderText } from './templates.ts'

type MessageRow = NonNullable<Awaited<ReturnType<typeof findMessage>>>
type EmailJob = { messageId: string; deliveryId: string }

function greeting(message: MessageRow): Block[] {
  if (message.provider_email === null) {
    return [
      { kind: 'paragraph', text: 'Someone has sent a message to the people who run this site.' },
    ]
  }
  const { provider_title: title, provider_first_name: first, provider_last_name: last } = message
  return [
    { kind: 'paragraph', text: `Dear ${[title, first, last].filter(Boolean).join(' ')},` },
    { kind: 'paragraph', text: 'Someone has sent you a message through your Apposite profile.' },
  ]
}

function blocksFor(message: MessageRow): Block[] {
  const sender = `${message.first_name} ${message.last_name}`
  return [
    ...greeting(message),
    {
      kind: 'facts',
      rows: [
        ['From', sender],
        ['Email', message.email],
        ['Reference', message.id],
      ],
    },
    { kind: 'quote', text: message.message },
    {
      kind: 'small',
      text: `Reply to this email to answer ${sender}. We haven’t checked who they are, so don’t send medical details until you have.`,
    },
  ]
}

function composeMail(services: Services, message: MessageRow, deliveryId: string): Mail {
  const content = {
    heading: `Message from ${message.first_name} ${message.last_name}`,
    blocks: blocksFor(message),
  }
  return {
    messageId: `${deliveryId}@${new URL(services.config.publicUrl).hostname}`,
    to: message.provider_email ?? services.config.supportEmail,
    replyTo: message.email,
    subject: content.heading,
    text: renderText(content),
    html: renderHtml(content),
  }
}

/**
 * Emails a contact message to its recipient. May run twice for one message after a crash; both emails then
 * have the same Message-ID.
 */
export async function deliverMessage(services: Services, job: EmailJob): Promise<void> {
  const { db } = services.database
  const message = await findMessage(db, job.messageId)
  // The sender or the recipient erased their account, so there is nothing to deliver.
  if (message === undefined || isErasedAddress(message.provider_email ?? '')) return
  const mail = composeMail(services, message, job.deliveryId)
  const outcome = await services.mail.send(mail)
  await insertMail(db, {
    id: services.newId('eml'),
    mail,
    wasSent: outcome === 'sent',
    now: services.now(),
  })
}
