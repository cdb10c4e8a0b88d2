import { type Kysely, sql } from 'kysely'

/**
 * What providers were called when something was done by them or to them, beside the audit log: the log
 * itself holds no names, so that those of whoever erases their account can go. And the phone number a
 * provider registered with, which nobody had asked for as a public one, leaves their places.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_names')
    .addColumn('audit_id', 'text', (c) => c.notNull())
    .addColumn('part', 'text', (c) => c.notNull())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('audit_names_key', ['audit_id', 'part'])
    .execute()
  await db.schema
    .createIndex('audit_names_provider')
    .on('audit_names')
    .columns(['provider_no'])
    .execute()
  await sql`update places set phone = null
    where phone = (select p.phone from providers p where p.no = places.provider_no)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('audit_names').execute()
}
