import { type Kysely, type SqlBool, sql } from 'kysely'
import { countingKey, isPostgres } from './dialect.ts'

/** The audit log: append-only, sealed by a chain of hashes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('actor_kind', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('network', 'text', (c) => c.notNull())
    .addColumn('request_id', 'text', (c) => c.notNull())
    .addColumn('entity', 'text')
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.unique())
    .addColumn('seal', 'text')
    .execute()
  // The sealing job looks only at what is not sealed yet.
  await db.schema
    .createIndex('audit_unsealed')
    .on('audit')
    .columns(['no'])
    .where(sql<SqlBool>`seal is null`)
    .execute()
  await db.schema.createIndex('audit_actor').on('audit').columns(['actor_id', 'no']).execute()
  await forbidRewriting(db)
}

/** Rows are only added, and sealed once. Whoever gets past this is still found by the seals. */
async function forbidRewriting(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create function audit_is_append_only() returns trigger language plpgsql as $$
      begin raise exception 'the audit log is append-only'; end $$`.execute(db)
    await sql`create trigger audit_no_update before update on audit for each row
      when (old.seal is not null or
        (old.no, old.id, old.at, old.type, old.action, old.outcome, old.actor_kind, old.network,
          old.request_id, old.details) is distinct from
        (new.no, new.id, new.at, new.type, new.action, new.outcome, new.actor_kind, new.network,
          new.request_id, new.details) or
        old.actor_id is distinct from new.actor_id or old.entity is distinct from new.entity)
      execute function audit_is_append_only()`.execute(db)
    await sql`create trigger audit_no_delete before delete on audit for each row
      execute function audit_is_append_only()`.execute(db)
    return
  }
  await sql`create trigger audit_no_update before update on audit
    when old.seal is not null or old.no is not new.no or old.id is not new.id
      or old.at is not new.at or old.type is not new.type or old.action is not new.action
      or old.outcome is not new.outcome or old.actor_kind is not new.actor_kind
      or old.actor_id is not new.actor_id or old.network is not new.network
      or old.request_id is not new.request_id or old.entity is not new.entity
      or old.details is not new.details
    begin select raise(abort, 'the audit log is append-only'); end`.execute(db)
  await sql`create trigger audit_no_delete before delete on audit
    begin select raise(abort, 'the audit log is append-only'); end`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('audit').execute()
  if (isPostgres(db)) await sql`drop function audit_is_append_only()`.execute(db)
}
