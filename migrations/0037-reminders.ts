import { type Kysely, type SqlBool, sql } from 'kysely'

/**
 * What people want to be reminded of, and which reminders were written: one for a visit, a kind and a
 * start, so that a visit that moves is reminded of anew and nothing is written twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reminder_settings')
    .addColumn('account_no', 'integer', (c) => c.primaryKey().references('accounts.no'))
    .addColumn('week', 'integer', (c) => c.notNull())
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('from_hour', 'integer', (c) => c.notNull())
    .addColumn('to_hour', 'integer', (c) => c.notNull())
    .addColumn('discreet', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('reminder_settings_hours', sql`from_hour < to_hour`)
    .execute()
  await db.schema
    .createTable('reminders')
    .addColumn('booking_no', 'integer', (c) => c.notNull().references('bookings.no'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('batch', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('reminders_key', ['booking_no', 'kind', 'start_at'])
    .addCheckConstraint('reminders_kind', sql`kind in ('week', 'day')`)
    .execute()
  await db.schema.createIndex('reminders_batch').on('reminders').columns(['batch']).execute()
  // Addresses by which calendars read visits; only a keyed hash of each is kept.
  await db.schema
    .createTable('calendar_feeds')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_no', 'integer', (c) => c.notNull().references('accounts.no'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('shows_names', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_read_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('calendar_feeds_account')
    .on('calendar_feeds')
    .columns(['account_no'])
    .execute()
  await db.schema
    .createIndex('bookings_coming')
    .on('bookings')
    .columns(['start_at', 'no'])
    .where(sql<SqlBool>`state = 'confirmed'`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('bookings_coming').execute()
  await db.schema.dropTable('calendar_feeds').execute()
  await db.schema.dropTable('reminders').execute()
  await db.schema.dropTable('reminder_settings').execute()
}
