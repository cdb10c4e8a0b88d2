import { fullName } from '#contract/base/person-names.ts'
import { CONTACT_MIN_MS, type ContactInput, type ContactReceipt } from '#contract/messages.ts'
import type { Context, Services, Tx } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import { consume } from '#server/kernel/limits/rate-limit.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { consumeCaptcha } from '#server/kernel/security/captcha.ts'
import { sendEmail } from './send-email.ts'
import { findListedProviderNo, findMessage, insertMessage } from './store.ts'
import type { Block } from './templates.ts'

/**
 * A filled honeypot field is refused with an error rather than silently dropped: browsers fill hidden fields
 * too, and a person must learn that their message was not sent.
 */
function rejectBots(input: ContactInput): void {
  if (input.website !== undefined && input.website !== '') throw new AppError('message_rejected')
  if (input.elapsedMs !== undefined && input.elapsedMs < CONTACT_MIN_MS) {
    throw new AppError('message_too_fast', { retryAfterSeconds: CONTACT_MIN_MS / 1_000 })
  }
}

async function recipientNo({ db }: Tx, input: ContactInput): Promise<number | null> {
  if (input.providerId === undefined) return null
  const provider = await findListedProviderNo(db, input.providerId)
  if (provider === undefined) throw new AppError('provider_not_found')
  return provider.no
}

/** Limits messages per recipient, so that no mailbox is flooded through us, however many people write. */
async function countRecipient({ attempts }: Tx, providerNo: number | null): Promise<void> {
  if (providerNo === null) await attempts.take('contact_site', '')
  else await attempts.take('contact_provider', String(providerNo))
}

/**
 * Accepts a message for a provider or for the site's operators. The row and its email are enqueued in one
 * transaction. The sender gets no copy, which would let anybody email anybody through us.
 */
export async function contact(ctx: Context, input: ContactInput): Promise<ContactReceipt> {
  rejectBots(input)
  consume(ctx, 'contact')
  await consumeCaptcha(ctx, input.captchaValue)
  const id = ctx.newId('msg')
  await ctx.transaction(async (tx) => {
    const providerNo = await recipientNo(tx, input)
    await countRecipient(tx, providerNo)
    await insertMessage(tx.db, { id, providerNo, input, now: ctx.now() })
    await tx.outbox.add('message.received', { messageId: id })
  })
  return { reference: id }
}

type MessageRow = NonNullable<Awaited<ReturnType<typeof findMessage>>>
function greeting(message: MessageRow): Block[] {
  if (message.provider_email === null) {
    return [
      { kind: 'paragraph', text: 'Someone has sent a message to the people who run this site.' },
    ]
  }
  const text = `Hello ${message.provider_first_name},\nSomeone has sent you a message through your Apposite profile.`
  return [{ kind: 'paragraph', text }]
}

function blocksFor(message: MessageRow): Block[] {
  const sender = fullName(message.first_name, message.last_name)
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

/** Emails a contact message to its recipient. */
export async function deliverMessage(
  services: Services,
  job: OutboxJob<'message.received'>,
): Promise<void> {
  const { db } = services.database
  const message = await findMessage(db, job.messageId)
  // The sender or the recipient erased their account, so there is nothing to deliver.
  if (message === undefined || isErasedAddress(message.provider_email ?? '')) return
  await sendEmail(services, {
    topic: 'message.received',
    deliveryId: job.deliveryId,
    to: message.provider_email ?? services.config.supportEmail,
    replyTo: message.email,
    secrets: [],
    content: {
      heading: `Message from ${fullName(message.first_name, message.last_name)}`,
      blocks: blocksFor(message),
    },
  })
}
