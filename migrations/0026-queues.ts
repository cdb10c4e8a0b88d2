import { type Kysely, type SqlBool, sql } from 'kysely'

/**
 * Queues are read in the order their rows fall due, and emptied by when their rows were done, without
 * a look at the rest: an index for each, over the rows it is about.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('gateway_events_due').execute()
  await db.schema
    .alterTable('gateway_events')
    .addColumn('due_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update gateway_events set due_at = received_at`.execute(db)
  await db.schema
    .createIndex('gateway_events_due')
    .on('gateway_events')
    .columns(['due_at'])
    .where(sql<SqlBool>`processed_at is null`)
    .execute()
  await db.schema
    .createIndex('gateway_events_processed')
    .on('gateway_events')
    .columns(['processed_at'])
    .where(sql<SqlBool>`processed_at is not null`)
    .execute()
  await db.schema
    .createIndex('outbox_done')
    .on('outbox')
    .columns(['done_at'])
    .where(sql<SqlBool>`done_at is not null`)
    .execute()
  await db.schema.createIndex('codes_expiry').on('codes').columns(['expires_at']).execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of ['codes_expiry', 'outbox_done', 'gateway_events_processed']) {
    await db.schema.dropIndex(name).execute()
  }
  await db.schema.dropIndex('gateway_events_due').execute()
  await db.schema.alterTable('gateway_events').dropColumn('due_at').execute()
  await db.schema
    .createIndex('gateway_events_due')
    .on('gateway_events')
    .columns(['received_at'])
    .where(sql<SqlBool>`processed_at is null`)
    .execute()
}
