import type { Flag, Instant, Json } from '#db/columns.ts'

export interface ContactMessageRow {
  id: string
  /** Null: written to the people who run the site. */
  provider_no: number | null
  first_name: string
  last_name: string
  email: string
  /** The account that had the address when it was changed; null where it may still have it. */
  user_id: string | null
  message: string
  created_at: Instant
}

/** A queued side effect: written in the transaction of its cause, executed by the job loop. */
export interface OutboxRow {
  id: string
  topic: string
  payload: Json<object>
  created_at: Instant
  attempts: number
  /** Not before this instant; also the lease while a worker processes it. */
  due_at: Instant
  done_at: Instant | null
  /** When it was given up after the last attempt; the row stays visible. */
  failed_at: Instant | null
  last_error: string | null
}

/** An element of `mails.files`; `type` is the content type. */
export type MailFileColumn = { name: string; type: string; text: string }

/** An email as sent: for the demo mailbox, and as a record. */
export interface MailRow {
  id: string
  /** Stable across retries, so that a duplicate is recognised. */
  message_id: string
  to_address: string
  reply_to: string | null
  /** The account it is about, so that it can be found when its owner erases that. */
  user_id: string | null
  subject: string
  text_body: string
  html_body: string
  /** Attachments, such as a calendar file. */
  files: Json<MailFileColumn[]>
  /** 1: handed to an SMTP server; 0: kept here for the demo mailbox. */
  sent: Flag
  created_at: Instant
}

/** A mailbox whose owner has stopped emails that strangers cause. */
export interface StoppedMailRow {
  /** Keyed hash of the address (`stoppedKey`). */
  hash: string
  stopped_at: Instant
}

export interface MessagesTables {
  stopped_mail: StoppedMailRow
  contact_messages: ContactMessageRow
  outbox: OutboxRow
  mails: MailRow
}
