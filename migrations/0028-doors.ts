import { type Kysely, type SqlBool, sql } from 'kysely'
import { clusteredByKey, isPostgres } from './dialect.ts'

/**
 * Refusals of strangers are counted, a row for each network, path and minute, and forgotten; answers of
 * strangers to the cookie banner are found by their age. On SQLite `insert or replace` and `update or
 * replace` remove rows without their triggers: the audit log refuses both by itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stranger_denials')
    .addColumn('minute', 'bigint', (c) => c.notNull())
    .addColumn('network', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('code', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('stranger_denials_key', ['minute', 'network', 'path'])
    .modifyEnd(clusteredByKey(db))
    .execute()
  await db.schema
    .createIndex('consents_of_strangers')
    .on('consents')
    .columns(['updated_at'])
    .where(sql<SqlBool>`account_no is null`)
    .execute()
  if (isPostgres(db)) return
  await sql`create trigger audit_no_replace before insert on audit
    when exists (select 1 from audit where no = new.no)
      or exists (select 1 from audit where id = new.id)
      or exists (select 1 from audit where position = new.position)
    begin select raise(abort, 'the audit log is append-only'); end`.execute(db)
  await sql`create trigger audit_no_update_over before update on audit
    when exists (select 1 from audit where position = new.position and no is not old.no)
    begin select raise(abort, 'the audit log is append-only'); end`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) {
    await sql`drop trigger audit_no_update_over`.execute(db)
    await sql`drop trigger audit_no_replace`.execute(db)
  }
  await db.schema.dropIndex('consents_of_strangers').execute()
  await db.schema.dropTable('stranger_denials').execute()
}
