import { type Kysely, sql } from 'kysely'

/** Parts of a day on which a provider takes no bookings, once or every week. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('blocks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('is_weekly', 'integer', (c) => c.notNull())
    .addColumn('until_date', 'text')
    .addColumn('from_minute', 'integer', (c) => c.notNull())
    .addColumn('to_minute', 'integer', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addCheckConstraint('blocks_time', sql`from_minute >= 0 and to_minute <= 1440`)
    .addCheckConstraint('blocks_order', sql`to_minute > from_minute`)
    .addCheckConstraint('blocks_weekly', sql`is_weekly = 1 or until_date is null`)
    .addCheckConstraint('blocks_until', sql`until_date is null or until_date >= date`)
    .execute()
  await db.schema.createIndex('blocks_provider').on('blocks').column('provider_no').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('blocks').execute()
}
