import type { Flag, Instant, Json } from '#db/columns.ts'

export interface ContactMessageRow {
  id: string
  /** Null: written to the people who run the site. */
  provider_no: number | null
  first_name: string
  last_name: string
  email: string
  message: string
  created_at: Instant
}

/** A side effect owed: written in the transaction of its act, done by the job loop. */
export interface OutboxRow {
  id: string
  topic: string
  payload: Json<Record<string, string>>
  created_at: Instant
  attempts: number
  /** Not before this instant; also the lease while a worker has it. */
  due_at: Instant
  done_at: Instant | null
  /** Given up after the last attempt; stays visible. */
  failed_at: Instant | null
  last_error: string | null
}

/** One of `mails.files`; `type` is the content type. */
export type MailFileColumn = { name: string; type: string; text: string }

/** A mail as it left: the demo mailbox, and the record of what was sent. */
export interface MailRow {
  id: string
  /** Stable across retries, so that a mail sent twice is recognised as one. */
  message_id: string
  to_address: string
  reply_to: string | null
  /** The account it is about, so that it can be found when its owner erases that. */
  user_id: string | null
  subject: string
  text_body: string
  html_body: string
  /** What went with it, such as a calendar file. */
  files: Json<MailFileColumn[]>
  /** 1: handed to an SMTP server; 0: kept here for the demo mailbox. */
  sent: Flag
  created_at: Instant
}

export interface MessagesTables {
  contact_messages: ContactMessageRow
  outbox: OutboxRow
  mails: MailRow
}
