import { maskedNumber } from '#contract/bank-accounts.ts'
import type { Services, SignedIn } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import type { AccountsChange } from './change-bank-accounts.ts'
import { openNumbers } from './seal-numbers.ts'
import { findAddressee, type Row } from './store.ts'

type EmailJob = { what: string; userId: string; account: string; deliveryId: string }

/** Emails a provider about a change of a bank account, unless they have erased their own account since. */
export async function deliverNotice(services: Services, job: EmailJob): Promise<void> {
  const { config, database, secrets } = services
  const addressee = await findAddressee(database.db, job.userId)
  if (addressee === undefined) return
  const content = noticeEmail(job.what, {
    firstName: addressee.first_name,
    account: secrets.open('mail', job.account),
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  })
  if (content === null) throw new Error(`There is no email "${job.what}".`)
  await sendEmail(services, {
    deliveryId: job.deliveryId,
    to: addressee.email,
    userId: addressee.id,
    secrets: [],
    content,
  })
}

/**
 * Enqueues an email to the owner about a change, in its transaction. The masked account goes along, because
 * it may be deleted by then; encrypted, because the outbox is a table like any other.
 */
export async function enqueueNotice(
  ctx: SignedIn,
  { tx, owner }: AccountsChange,
  about: { what: NoticeKind; row: Row },
): Promise<void> {
  const { number } = openNumbers(ctx, about.row, owner.id)
  await tx.outbox.add('bank.changed', {
    what: about.what,
    userId: owner.user_id,
    account: ctx.secrets.seal('mail', `${about.row.name}, ${maskedNumber(number)}`),
  })
}

/** The change of a bank account an email is about. */
type NoticeKind = 'added' | 'edited' | 'deleted' | 'primary'

const noticeTexts: Record<NoticeKind, { heading: string; text: string }> = {
  added: {
    heading: 'A bank account was added',
    text: 'A bank account was added to your profile.',
  },
  edited: {
    heading: 'A bank account was changed',
    text: 'The details of a bank account on your profile were changed.',
  },
  deleted: {
    heading: 'A bank account was deleted',
    text: 'A bank account was deleted from your profile.',
  },
  primary: {
    heading: 'Your primary bank account was changed',
    text: 'A different bank account is now your primary one.',
  },
}

type NoticeFacts = {
  firstName: string
  /** Name and masked number. */
  account: string
  site: string
  supportEmail: string
}

/** The email about a change of a bank account; null for an unknown kind. */
function noticeEmail(what: string, facts: NoticeFacts): EmailContent | null {
  const found = new Map(Object.entries(noticeTexts)).get(what)
  if (found === undefined) return null
  return {
    heading: found.heading,
    blocks: [
      { kind: 'paragraph', text: `Hello ${facts.firstName},\n${found.text}` },
      { kind: 'facts', rows: [['Account', facts.account]] },
      { kind: 'link', label: 'See your bank accounts', url: `${facts.site}/doctor/bank-account` },
      {
        kind: 'small',
        text: `If this wasn’t you, reset your password now at ${facts.site}/sign-in and write to ${facts.supportEmail}.`,
      },
    ],
  }
}
