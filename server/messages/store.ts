import { type SqlBool, sql } from 'kysely'
import type { ContactInput } from '#contract/messages.ts'
import { type Instant, toFlag, toJson } from '#db/columns.ts'
import { type Db, lockRows } from '#db/engine.ts'
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
      'p.first_name as provider_first_name',
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
  userId: string | null
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
      user_id: record.userId,
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

/** Whether an account is erased; until the transaction ends, it cannot become so. */
export async function lockErased(db: Db, userId: string): Promise<boolean> {
  const query = db.selectFrom('accounts').select(['no', 'erased_at']).where('id', '=', userId)
  const found = await query.executeTakeFirst()
  if (found === undefined) return true
  await lockRows(db, 'accounts', [found.no])
  const { erased_at: erasedAt } = await query.executeTakeFirstOrThrow()
  return erasedAt !== null
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

type Owner = { email: string; userId: string }

/** Marks the contact messages from an address as an account's, which is about to change the address. */
export async function claimMessages(db: Db, { email, userId }: Owner): Promise<void> {
  await db
    .updateTable('contact_messages')
    .set({ user_id: userId })
    .where('email', '=', email)
    .where('user_id', 'is', null)
    .execute()
}

/**
 * Deletes an account's contact messages, also from former addresses, with their emails, and all emails to its
 * address, with it as Reply-To, or about the account.
 */
export async function deleteByAddress(db: Db, { email, userId }: Owner): Promise<void> {
  await db
    .deleteFrom('mails')
    .where((where) =>
      where.or([
        where('to_address', '=', email),
        where('reply_to', '=', email),
        where('user_id', '=', userId),
        // A former address may be somebody else's by now: the reference tells whose message an email has.
        where.exists(
          where
            .selectFrom('contact_messages as m')
            .select('m.id')
            .where('m.user_id', '=', userId)
            .whereRef('m.email', '=', 'mails.reply_to')
            .where(sql<SqlBool>`mails.text_body like '%' || m.id || '%'`),
        ),
      ]),
    )
    .execute()
  await db
    .deleteFrom('contact_messages')
    .where((where) =>
      where.or([
        where('user_id', '=', userId),
        where.and([where('email', '=', email), where('user_id', 'is', null)]),
      ]),
    )
    .execute()
}

/** Deliveries that were given up, newest first; the payloads are not parsed yet. */
export function listFailed(db: Db, page: { limit: number; offset: number }) {
  return db
    .selectFrom('outbox')
    .select(['id', 'topic', 'payload', 'created_at', 'failed_at', 'attempts', 'last_error'])
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
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

// Looks up the recipients of outbox rows from their payloads. Erased people have no address.

export async function findAccountAddress(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

/** The recipient of a contact message; null for the site's operators. */
export async function findMessageAddress(db: Db, id: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('contact_messages as m')
    .leftJoin('providers as p', 'p.no', 'm.provider_no')
    .select('p.email')
    .where('m.id', '=', id)
    .executeTakeFirst()
  return row?.email
}

type BothAddresses = { patient?: string | null; provider?: string }

/** The patient and the provider of a visit. */
export async function findVisitAddresses(db: Db, bookingId: string): Promise<BothAddresses> {
  const row = await db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .leftJoin('accounts as a', (join) =>
      join.onRef('a.no', '=', 'b.patient_no').on('a.erased_at', 'is', null),
    )
    .select(['a.email as patient', 'p.email as provider'])
    .where('b.id', '=', bookingId)
    .executeTakeFirst()
  return row ?? {}
}

export async function findRefundAddress(db: Db, refundId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.no', 'r.payment_no')
    .innerJoin('accounts as a', 'a.no', 'p.patient_no')
    .select('a.email')
    .where('r.id', '=', refundId)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

/** The patient of a batch of reminders. */
export async function findReminderAddress(db: Db, batch: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('reminders as r')
    .innerJoin('bookings as b', 'b.no', 'r.booking_no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select('a.email')
    .where('r.batch', '=', batch)
    .where('a.erased_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row?.email
}

export async function findPayerAddress(db: Db, paymentId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('payments as p')
    .innerJoin('accounts as a', 'a.no', 'p.patient_no')
    .select('a.email')
    .where('p.id', '=', paymentId)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

export async function findTokenAddress(db: Db, tokenId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('access_tokens as t')
    .innerJoin('accounts as a', 'a.no', 't.account_no')
    .select('a.email')
    .where('t.id', '=', tokenId)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

/** The patient and the provider of a contested visit. */
export async function findClaimAddresses(db: Db, claimId: string): Promise<BothAddresses> {
  const row = await db
    .selectFrom('outcome_claims as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .leftJoin('accounts as a', (join) =>
      join.onRef('a.no', '=', 'b.patient_no').on('a.erased_at', 'is', null),
    )
    .select(['a.email as patient', 'p.email as provider'])
    .where('c.id', '=', claimId)
    .executeTakeFirst()
  return row ?? {}
}

/** The encrypted address entered with a desk visit; empty when none was given or it was erased. */
export async function findDeskAddress(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('desk_visits')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.email
}

export async function findFeedAddress(db: Db, feedId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('calendar_feeds as f')
    .innerJoin('accounts as a', 'a.no', 'f.account_no')
    .select('a.email')
    .where('f.id', '=', feedId)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

/** Tables with an id whose rows are about a provider. */
export type AboutProvider =
  | 'verification_checks'
  | 'verification_requests'
  | 'company_claims'
  | 'registrant_proofs'

/** The published address that receives the codes of a proof. */
export async function findPublishedAddress(db: Db, proofId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('registrant_proofs')
    .select('email')
    .where('id', '=', proofId)
    .executeTakeFirst()
  return row?.email ?? undefined
}

/** The provider that a check, a request, a company claim or a proof is about. */
export async function findProviderAddress(
  db: Db,
  about: { table: AboutProvider; id: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom(about.table)
    .innerJoin('providers as p', 'p.no', `${about.table}.provider_no`)
    .select('p.email')
    .where(`${about.table}.id`, '=', about.id)
    .executeTakeFirst()
  return row?.email
}

/** The owner of an external calendar. */
export async function findOutsideAddress(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('outside_calendars as c')
    .innerJoin('accounts as a', 'a.provider_no', 'c.provider_no')
    .select('a.email')
    .where('c.id', '=', id)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}
