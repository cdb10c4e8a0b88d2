import { type Kysely, sql } from 'kysely'
import { drop, run } from './dialect.ts'

/** Contact messages, side effects still owed, and emails as they left. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table contact_messages (
      id text primary key,
      provider_no integer references providers (no),
      first_name text not null,
      last_name text not null,
      email text not null,
      message text not null,
      created_at bigint not null,
      user_id text
    )`,
    sql`create table outbox (
      id text primary key,
      topic text not null,
      payload text not null,
      created_at bigint not null,
      attempts integer not null,
      due_at bigint not null,
      done_at bigint,
      failed_at bigint,
      last_error text
    )`,
    // Only what is still owed: the index stays as small as the backlog.
    sql`create index outbox_due on outbox (due_at) where done_at is null and failed_at is null`,
    sql`create index outbox_failed on outbox (failed_at, id) where failed_at is not null`,
    sql`create index outbox_done on outbox (done_at) where done_at is not null`,
    sql`create table mails (
      id text primary key,
      message_id text not null unique,
      to_address text not null,
      reply_to text,
      subject text not null,
      text_body text not null,
      html_body text not null,
      sent integer not null,
      created_at bigint not null,
      user_id text,
      files text not null default '[]'
    )`,
    sql`create index mails_to on mails (to_address, created_at)`,
    sql`create index mails_user on mails (user_id)`,
    // Old emails, to be deleted: their bodies make a scan of the table slow.
    sql`create index mails_created on mails (created_at)`,
    // Only keyed hashes of mailboxes, so that the table names nobody.
    sql`create table stopped_mail (
      hash text primary key,
      stopped_at bigint not null
    )`,
  ])
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, ['stopped_mail', 'mails', 'outbox', 'contact_messages'])
}
