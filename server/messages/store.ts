import type { ContactInput } from '#contract/messages.ts'
import { type Instant, parseJson, toFlag, toJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Mail } from '#server/gateways/mail.ts'

/** The internal number of a provider whom patients can find, i.e. a Verified one. */
export function findListedProviderNo(db: Db, providerId: string) {
  return db
    .selectFrom('providers')
    .select('no')
    .where('id', '=', providerId)
    .where('verification_status', '=', 'Verified')
    .executeTakeFirst()
}

type NewMessage = {
  id: string
  providerNo: number | null
  input: ContactInput
  now: Instant
}

export async function insertMessage(db: Db, message: NewMessage): Promise<void> {
  const { input } = message
  await db
    .insertInto('contact_messages')
    .values({
      id: message.id,
      provider_no: message.providerNo,
      first_name: input.first_name,
      last_name: input.last_name,
      email: input.email,
      message: input.message,
      created_at: message.now,
    })
    .execute()
}

/** A message with the address of its provider; null for a message to the site. */
export function findMessage(db: Db, id: string) {
  return db
    .selectFrom('contact_messages as m')
    .leftJoin('providers as p', 'p.no', 'm.provider_no')
    .select([
      'm.id',
      'm.first_name',
      'm.last_name',
      'm.email',
      'm.message',
      'p.email as provider_email',
      'p.title as provider_title',
      'p.first_name as provider_first_name',
      'p.last_name as provider_last_name',
    ])
    .where('m.id', '=', id)
    .executeTakeFirst()
}

type MailRecord = {
  id: string
  mail: Mail
  wasSent: boolean
  now: Instant
  /** The account the email is about. */
  userId?: string
}

/** Records a sent email; recording it again changes nothing. */
export async function insertMail(db: Db, record: MailRecord): Promise<void> {
  const { mail } = record
  await db
    .insertInto('mails')
    .values({
      id: record.id,
      message_id: mail.messageId,
      to_address: mail.to,
      reply_to: mail.replyTo,
      user_id: record.userId ?? null,
      subject: mail.subject,
      text_body: mail.text,
      html_body: mail.html,
      files: toJson(mail.files ?? []),
      sent: toFlag(record.wasSent),
      created_at: record.now,
    })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .execute()
}

/** The recorded email with this Message-ID, if any. */
export function findByMessageId(db: Db, messageId: string) {
  return db.selectFrom('mails').select('id').where('message_id', '=', messageId).executeTakeFirst()
}

const MAILBOX_LIMIT = 100

/** The latest emails, newest first, of one address or of all. */
export function listMails(db: Db, to: string | null) {
  let query = db
    .selectFrom('mails')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAILBOX_LIMIT)
  if (to !== null) query = query.where('to_address', '=', to)
  return query.execute()
}

export function findMail(db: Db, id: string) {
  return db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Deletes contact messages from an address, and all emails to it, with it as Reply-To, or about its account.
 */
export async function deleteByAddress(
  db: Db,
  { email, userId }: { email: string; userId: string },
): Promise<void> {
  await db.deleteFrom('contact_messages').where('email', '=', email).execute()
  await db
    .deleteFrom('mails')
    .where((where) =>
      where.or([
        where('to_address', '=', email),
        where('reply_to', '=', email),
        where('user_id', '=', userId),
      ]),
    )
    .execute()
}

/** Deliveries that were given up, newest first. */
export async function listFailed(db: Db, page: { limit: number; offset: number }) {
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'topic', 'payload', 'created_at', 'failed_at', 'attempts', 'last_error'])
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map(({ payload, ...row }) => ({ ...row, payload: parseJson(payload) }))
}

export type FailedRow = Awaited<ReturnType<typeof listFailed>>[number]

export async function countFailed(db: Db): Promise<number> {
  const { failed } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('failed'))
    .where('failed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return failed
}

/** Makes a failed delivery due again with no attempts used; returns its topic, or undefined. */
export async function reviveFailed(
  db: Db,
  id: string,
  now: Instant,
): Promise<{ topic: string } | undefined> {
  const [revived] = await db
    .updateTable('outbox')
    .set({ failed_at: null, last_error: null, attempts: 0, due_at: now })
    .where('id', '=', id)
    .where('failed_at', 'is not', null)
    .where('done_at', 'is', null)
    .returning('topic')
    .execute()
  return revived
}
