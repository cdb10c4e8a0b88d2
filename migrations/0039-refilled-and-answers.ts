import { type Kysely, type SqlBool, sql } from 'kysely'

/** Late fees that may go back, and what providers answer to a contested visit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Cancelled visits by their end, for the job that gives back fees of times that were refilled.
  await db.schema
    .createIndex('bookings_cancelled_end')
    .on('bookings')
    .columns(['end_at'])
    .where(sql<SqlBool>`state = 'cancelled'`)
    .execute()
  for (const [column, type] of [
    ['answer', 'text'],
    ['answered_at', 'bigint'],
  ] as const) {
    await db.schema.alterTable('outcome_claims').addColumn(column, type).execute()
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const column of ['answered_at', 'answer']) {
    await db.schema.alterTable('outcome_claims').dropColumn(column).execute()
  }
  await db.schema.dropIndex('bookings_cancelled_end').execute()
}
