import { type Kysely, type RawBuilder, sql } from 'kysely'
import { clusteredByKey, countingKey, drop, isPostgres, run } from './dialect.ts'

/** The audit log: append-only, sealed by a chain of hashes. Refusals of strangers are counted beside it. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table audit (
      no ${countingKey(db)} primary key,
      id text not null unique,
      at bigint not null,
      type text not null,
      action text not null,
      outcome text not null,
      actor_kind text not null,
      actor_id text,
      network text not null,
      request_id text not null,
      entity text,
      details text not null,
      position integer unique,
      seal text
    )`,
    // The sealing job looks only at what is not sealed yet.
    sql`create index audit_unsealed on audit (no) where seal is null`,
    // The newest first, of everybody or of one person, thing or action; what went wrong is rare.
    sql`create index audit_actor_id_at on audit (actor_id, at, no)`,
    sql`create index audit_entity_at on audit (entity, at, no)`,
    sql`create index audit_action_at on audit (action, at, no)`,
    sql`create index audit_at on audit (at, no)`,
    sql`create index audit_refused on audit (at, no) where outcome <> 'ok'`,
    ...forbidRewriting(db),
    // The log itself holds no names, so that those of whoever erases their account can go.
    sql`create table audit_names (
      audit_id text not null,
      part text not null,
      provider_no integer not null references providers (no),
      name text not null,
      constraint audit_names_key primary key (audit_id, part)
    )`,
    sql`create index audit_names_provider on audit_names (provider_no)`,
    sql`create table stranger_denials (
      minute bigint not null,
      network text not null,
      path text not null,
      code text not null,
      count integer not null,
      constraint stranger_denials_key primary key (minute, network, path)
    ) ${clusteredByKey(db)}`,
  ])
}

/**
 * Rows are only added, and sealed once. Whoever gets past this is still found by the seals. On SQLite
 * `insert or replace` and `update or replace` remove rows without their triggers, and so have their own.
 */
function forbidRewriting(db: Kysely<unknown>): RawBuilder<unknown>[] {
  if (isPostgres(db)) {
    return [
      sql`create function audit_is_append_only() returns trigger language plpgsql as $$
        begin raise exception 'the audit log is append-only'; end $$`,
      sql`create trigger audit_no_update before update on audit for each row
        when (old.seal is not null or
          (old.no, old.id, old.at, old.type, old.action, old.outcome, old.actor_kind, old.network,
            old.request_id, old.details) is distinct from
          (new.no, new.id, new.at, new.type, new.action, new.outcome, new.actor_kind, new.network,
            new.request_id, new.details) or
          old.actor_id is distinct from new.actor_id or old.entity is distinct from new.entity)
        execute function audit_is_append_only()`,
      sql`create trigger audit_no_delete before delete on audit for each row
        execute function audit_is_append_only()`,
    ]
  }
  const refuse = sql`begin select raise(abort, 'the audit log is append-only'); end`
  return [
    sql`create trigger audit_no_update before update on audit
      when old.seal is not null or old.no is not new.no or old.id is not new.id
        or old.at is not new.at or old.type is not new.type or old.action is not new.action
        or old.outcome is not new.outcome or old.actor_kind is not new.actor_kind
        or old.actor_id is not new.actor_id or old.network is not new.network
        or old.request_id is not new.request_id or old.entity is not new.entity
        or old.details is not new.details ${refuse}`,
    sql`create trigger audit_no_delete before delete on audit ${refuse}`,
    sql`create trigger audit_no_replace before insert on audit
      when exists (select 1 from audit where no = new.no)
        or exists (select 1 from audit where id = new.id)
        or exists (select 1 from audit where position = new.position) ${refuse}`,
    sql`create trigger audit_no_update_over before update on audit
      when exists (select 1 from audit where position = new.position and no is not old.no) ${refuse}`,
  ]
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, ['stranger_denials', 'audit_names', 'audit'], ['audit_is_append_only'])
}
