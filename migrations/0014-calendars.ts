import { type Kysely, sql } from 'kysely'
import { drop, run } from './dialect.ts'

/** Calendars: links that others read, and time in which providers are busy elsewhere. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    // Addresses by which calendars read visits; only a keyed hash of each is kept.
    sql`create table calendar_feeds (
      id text primary key,
      account_no integer not null references accounts (no),
      hash text not null unique,
      name text not null,
      shows_names integer not null,
      created_at bigint not null,
      last_read_at bigint
    )`,
    sql`create index calendar_feeds_account on calendar_feeds (account_no)`,
    // Only when, never what; of an import a label that is sealed.
    sql`create table outside_calendars (
      id text primary key,
      provider_no integer not null references providers (no),
      name text not null,
      host text not null,
      sealed text not null,
      fingerprint text not null,
      skips_all_day integer not null,
      etag text,
      last_modified text,
      covered_to text not null,
      unreadable integer not null,
      next_read_at bigint not null,
      read_at bigint,
      failing_since bigint,
      failure text,
      told_at bigint,
      created_at bigint not null,
      doubts text,
      constraint outside_calendars_once unique (provider_no, fingerprint),
      constraint outside_calendars_failing check ((failing_since is null) = (failure is null))
    )`,
    sql`create index outside_calendars_due on outside_calendars (next_read_at)`,
    sql`create table imports (
      id text primary key,
      provider_no integer not null references providers (no),
      name text not null,
      created_at bigint not null
    )`,
    sql`create index imports_provider on imports (provider_no)`,
    sql`create table busy_times (
      provider_no integer not null references providers (no),
      source text not null,
      calendar_id text references outside_calendars (id),
      import_id text references imports (id),
      key text,
      start_at bigint not null,
      end_at bigint not null,
      label text,
      constraint busy_times_key unique (provider_no, key),
      constraint busy_times_order check (end_at > start_at),
      constraint busy_times_source check (
        (source = 'calendar' and calendar_id is not null and import_id is null and key is null and label is null)
        or (source = 'import' and import_id is not null and calendar_id is null and key is not null))
    )`,
    sql`create index busy_times_provider on busy_times (provider_no, end_at)`,
    sql`create index busy_times_calendar on busy_times (calendar_id)`,
    sql`create index busy_times_import on busy_times (import_id)`,
  ])
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, ['busy_times', 'imports', 'outside_calendars', 'calendar_feeds'])
}
