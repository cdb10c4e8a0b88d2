import { type Kysely, type SqlBool, sql } from 'kysely'

/** Cancellations by when they were made, for the list of accounts that cancel often. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('visit_changes_cancelled')
    .on('visit_changes')
    .columns(['at', 'booking_no'])
    .where(sql<SqlBool>`what = 'cancelled'`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('visit_changes_cancelled').execute()
}
