import type { Kysely } from 'kysely'

/**
 * Mailboxes whose owners have stopped emails that strangers cause: only their keyed hashes, so that the table names
 * nobody.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stopped_mail')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('stopped_at', 'bigint', (column) => column.notNull())
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('stopped_mail').execute()
}
