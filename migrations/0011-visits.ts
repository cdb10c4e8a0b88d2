import { type Kysely, type RawBuilder, sql } from 'kysely'
import { countingKey, drop, isPostgres, run } from './dialect.ts'

/** What happens to booked visits: changes, proposals, joinings, contested outcomes and reminders. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table visit_changes (
      no ${countingKey(db)} primary key,
      booking_no integer not null references bookings (no),
      at bigint not null,
      what text not null,
      by_kind text not null,
      by_id text,
      sequence integer not null,
      from_at bigint,
      to_at bigint,
      reason text,
      note text,
      refund_minor integer,
      kept_minor integer,
      from_zone text,
      to_zone text
    )`,
    sql`create index visit_changes_booking on visit_changes (booking_no, no)`,
    // For the list of accounts that cancel often.
    sql`create index visit_changes_cancelled on visit_changes (at, booking_no) where what = 'cancelled'`,
    ...keepChanges(db),
    sql`create table visit_proposals (
      booking_no integer not null references bookings (no),
      position integer not null,
      start_at bigint not null,
      place_no integer not null references places (no),
      at bigint not null,
      constraint visit_proposals_key primary key (booking_no, position),
      constraint visit_proposals_once unique (booking_no, start_at),
      constraint visit_proposals_most check (position between 0 and 2)
    )`,
    sql`create table visit_joins (
      no ${countingKey(db)} primary key,
      booking_no integer not null references bookings (no),
      at bigint not null,
      by_kind text not null,
      by_id text not null,
      host text not null,
      constraint visit_joins_by check (by_kind in ('patient', 'provider'))
    )`,
    sql`create index visit_joins_booking on visit_joins (booking_no, no)`,
    ...keepJoins(db),
    sql`create table outcome_claims (
      id text primary key,
      booking_no integer not null unique references bookings (no),
      says text not null,
      words text not null,
      state text not null,
      created_at bigint not null,
      decided_at bigint,
      decided_by text,
      note text,
      answer text,
      answered_at bigint,
      constraint outcome_claims_says check (says in ('was_there', 'not_held')),
      constraint outcome_claims_state check (state in ('open', 'upheld', 'rejected', 'settled')),
      constraint outcome_claims_decided check ((state = 'open') = (decided_at is null))
    )`,
    sql`create index outcome_claims_open on outcome_claims (created_at) where state = 'open'`,
    sql`create table reminder_settings (
      account_no integer primary key references accounts (no),
      week integer not null,
      day integer not null,
      from_hour integer not null,
      to_hour integer not null,
      discreet integer not null,
      updated_at bigint not null,
      constraint reminder_settings_hours check (from_hour < to_hour)
    )`,
    sql`create table reminders (
      booking_no integer not null references bookings (no),
      kind text not null,
      start_at bigint not null,
      due_at bigint not null,
      batch text not null,
      created_at bigint not null,
      constraint reminders_key primary key (booking_no, kind, start_at),
      constraint reminders_kind check (kind in ('week', 'day'))
    )`,
    sql`create index reminders_batch on reminders (batch)`,
  ])
}

/** Nobody alters or removes a change; only what somebody wrote can be blanked once they are erased. */
function keepChanges(db: Kysely<unknown>): RawBuilder<unknown>[] {
  const kept = ['no', 'booking_no', 'at', 'what', 'by_kind', 'by_id', 'sequence', 'from_at']
  const columns = [...kept, 'to_at', 'reason', 'refund_minor', 'kept_minor']
  const altered = sql.join(
    columns.map((name) => sql`old.${sql.ref(name)} is distinct from new.${sql.ref(name)}`),
    sql` or `,
  )
  const refused = sql`new.note is not null or ${altered}`
  if (isPostgres(db)) {
    return [
      sql`create function visit_changes_are_kept() returns trigger language plpgsql as $$
        begin raise exception 'changes of visits are kept'; end $$`,
      sql`create trigger visit_changes_update before update on visit_changes for each row
        when (${refused}) execute function visit_changes_are_kept()`,
      sql`create trigger visit_changes_delete before delete on visit_changes for each row
        execute function visit_changes_are_kept()`,
    ]
  }
  return [
    sql`create trigger visit_changes_update before update on visit_changes when ${refused}
      begin select raise(abort, 'changes of visits are kept'); end`,
    sql`create trigger visit_changes_delete before delete on visit_changes
      begin select raise(abort, 'changes of visits are kept'); end`,
  ]
}

/** Evidence: nobody alters or removes it. */
function keepJoins(db: Kysely<unknown>): RawBuilder<unknown>[] {
  if (isPostgres(db)) {
    return [
      sql`create function visit_joins_are_kept() returns trigger language plpgsql as $$
        begin raise exception 'joinings of visits are kept'; end $$`,
      sql`create trigger visit_joins_kept before update or delete on visit_joins for each row
        execute function visit_joins_are_kept()`,
    ]
  }
  return [
    sql`create trigger visit_joins_update before update on visit_joins
      begin select raise(abort, 'joinings of visits are kept'); end`,
    sql`create trigger visit_joins_delete before delete on visit_joins
      begin select raise(abort, 'joinings of visits are kept'); end`,
  ]
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(
    db,
    [
      'reminders',
      'reminder_settings',
      'outcome_claims',
      'visit_joins',
      'visit_proposals',
      'visit_changes',
    ],
    ['visit_changes_are_kept', 'visit_joins_are_kept'],
  )
}
