import { type Kysely, type SqlBool, sql } from 'kysely'
import { isPostgres } from './dialect.ts'

/** First passwords, the link that begins an installation, and the superuser who must remain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('first_password_used_at', 'bigint').execute()
  await db.schema
    .createTable('start_links')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('accounts_staff')
    .on('accounts')
    .columns(['no'])
    .where(sql<SqlBool>`kind = 'staff'`)
    .execute()
  await keepASuperuser(db)
  await findInAudit(db)
}

function isActive(row: 'old' | 'new' | 'other') {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  return sql`(${column('kind')} = 'staff' and ${column('role')} = 'superuser'
    and ${column('suspended_at')} is null and ${column('erased_at')} is null)`
}

const nobodyElse = sql`not exists (select 1 from accounts other
  where other.no <> old.no and ${isActive('other')})`

/**
 * Whatever writes, the last active superuser stays one. On Postgres whoever would take one away waits
 * for the others who do: each sees two, or else both could go.
 */
async function keepASuperuser(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create function accounts_keep_a_superuser() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtext('accounts_keep_a_superuser'));
        if ${nobodyElse} then raise exception 'accounts_keep_a_superuser'; end if;
        if tg_op = 'DELETE' then return old; end if;
        return new;
      end $$`.execute(db)
    await sql`create trigger accounts_keep_a_superuser before update on accounts for each row
      when (${isActive('old')} and not coalesce(${isActive('new')}, false))
      execute function accounts_keep_a_superuser()`.execute(db)
    await sql`create trigger accounts_keep_a_superuser_row before delete on accounts for each row
      when (${isActive('old')}) execute function accounts_keep_a_superuser()`.execute(db)
    return
  }
  const refuse = sql`begin
    select raise(abort, 'accounts_keep_a_superuser') where ${nobodyElse}; end`
  await sql`create trigger accounts_keep_a_superuser
    before update of kind, role, suspended_at, erased_at on accounts
    when ${isActive('old')} and not coalesce(${isActive('new')}, 0) ${refuse}`.execute(db)
  await sql`create trigger accounts_keep_a_superuser_row before delete on accounts
    when ${isActive('old')} ${refuse}`.execute(db)
}

/** The newest first, of everybody or of one person, thing or action; what went wrong is rare. */
async function findInAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('audit_actor').execute()
  for (const column of ['actor_id', 'entity', 'action']) {
    await db.schema
      .createIndex(`audit_${column}_at`)
      .on('audit')
      .columns([column, 'at', 'no'])
      .execute()
  }
  await db.schema.createIndex('audit_at').on('audit').columns(['at', 'no']).execute()
  await db.schema
    .createIndex('audit_refused')
    .on('audit')
    .columns(['at', 'no'])
    .where(sql<SqlBool>`outcome <> 'ok'`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const index of ['refused', 'at', 'action_at', 'entity_at', 'actor_id_at']) {
    await db.schema.dropIndex(`audit_${index}`).execute()
  }
  await db.schema.createIndex('audit_actor').on('audit').columns(['actor_id', 'no']).execute()
  const table = isPostgres(db) ? sql` on accounts` : sql``
  await sql`drop trigger accounts_keep_a_superuser_row${table}`.execute(db)
  await sql`drop trigger accounts_keep_a_superuser${table}`.execute(db)
  if (isPostgres(db)) await sql`drop function accounts_keep_a_superuser()`.execute(db)
  await db.schema.dropIndex('accounts_staff').execute()
  await db.schema.dropTable('start_links').execute()
  await db.schema.alterTable('accounts').dropColumn('first_password_used_at').execute()
}
