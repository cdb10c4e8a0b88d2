import { type Kysely, sql } from 'kysely'
import { countingKey } from './dialect.ts'

/** What providers say about their hours. Wall clocks and dates: the place has the zone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('schedules')
    .addColumn('provider_no', 'integer', (c) => c.primaryKey().references('providers.no'))
    .addColumn('notice_minutes', 'integer', (c) => c.notNull().defaultTo(120))
    .addColumn('horizon_days', 'integer', (c) => c.notNull().defaultTo(60))
    .addColumn('buffer_minutes', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('closed_on_holidays', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('rotation_weeks', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('rotation_from', 'text', (c) => c.notNull())
    .addColumn('generated_to', 'text', (c) => c.notNull())
    .addColumn('extend_at', 'bigint', (c) => c.notNull())
    .addColumn('withdraw_at', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('schedules_rotation', sql`rotation_weeks between 1 and 4`)
    .execute()
  for (const column of ['extend_at', 'withdraw_at']) {
    await db.schema.createIndex(`schedules_${column}`).on('schedules').column(column).execute()
  }
  await db.schema
    .createTable('weekly_hours')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('place_no', 'integer', (c) => c.notNull().references('places.no'))
    .addColumn('week', 'integer', (c) => c.notNull())
    .addColumn('weekday', 'integer', (c) => c.notNull())
    .addColumn('from_minute', 'integer', (c) => c.notNull())
    .addColumn('to_minute', 'integer', (c) => c.notNull())
    .addCheckConstraint('weekly_hours_time', sql`from_minute >= 0 and to_minute <= 1440`)
    .addCheckConstraint('weekly_hours_order', sql`to_minute > from_minute`)
    .execute()
  await db.schema
    .createTable('extra_dates')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('place_no', 'integer', (c) => c.notNull().references('places.no'))
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('from_minute', 'integer', (c) => c.notNull())
    .addColumn('to_minute', 'integer', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addCheckConstraint('extra_dates_time', sql`from_minute >= 0 and to_minute <= 1440`)
    .addCheckConstraint('extra_dates_order', sql`to_minute > from_minute`)
    .execute()
  await db.schema
    .createTable('absences')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('place_no', 'integer', (c) => c.references('places.no'))
    .addColumn('from_date', 'text', (c) => c.notNull())
    .addColumn('to_date', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addCheckConstraint('absences_order', sql`to_date >= from_date`)
    .execute()
  for (const table of ['weekly_hours', 'extra_dates', 'absences']) {
    await db.schema.createIndex(`${table}_provider`).on(table).column('provider_no').execute()
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['absences', 'extra_dates', 'weekly_hours', 'schedules']) {
    await db.schema.dropTable(table).execute()
  }
}
