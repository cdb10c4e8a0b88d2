import { type Kysely, type SqlBool, sql } from 'kysely'

/** What was given up is counted on staff's first page; delivered rows stay for a week beside it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('outbox_failed')
    .on('outbox')
    .columns(['failed_at', 'id'])
    .where(sql<SqlBool>`failed_at is not null`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('outbox_failed').execute()
}
