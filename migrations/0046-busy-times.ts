import { type Kysely, sql } from 'kysely'

/**
 * Time in which providers are busy elsewhere: as calendars of theirs that are kept outside say, and as
 * they import it. Only when, never what; of an import a label that is sealed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outside_calendars')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('skips_all_day', 'integer', (c) => c.notNull())
    .addColumn('etag', 'text')
    .addColumn('last_modified', 'text')
    .addColumn('covered_to', 'text', (c) => c.notNull())
    .addColumn('unreadable', 'integer', (c) => c.notNull())
    .addColumn('next_read_at', 'bigint', (c) => c.notNull())
    .addColumn('read_at', 'bigint')
    .addColumn('failing_since', 'bigint')
    .addColumn('failure', 'text')
    .addColumn('told_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('outside_calendars_once', ['provider_no', 'fingerprint'])
    .addCheckConstraint(
      'outside_calendars_failing',
      sql`(failing_since is null) = (failure is null)`,
    )
    .execute()
  await db.schema
    .createIndex('outside_calendars_due')
    .on('outside_calendars')
    .column('next_read_at')
    .execute()
  await db.schema
    .createTable('imports')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('imports_provider').on('imports').column('provider_no').execute()
  await db.schema
    .createTable('busy_times')
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('calendar_id', 'text', (c) => c.references('outside_calendars.id'))
    .addColumn('import_id', 'text', (c) => c.references('imports.id'))
    .addColumn('key', 'text')
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('end_at', 'bigint', (c) => c.notNull())
    .addColumn('label', 'text')
    .addUniqueConstraint('busy_times_key', ['provider_no', 'key'])
    .addCheckConstraint('busy_times_order', sql`end_at > start_at`)
    .addCheckConstraint(
      'busy_times_source',
      sql`(source = 'calendar' and calendar_id is not null and import_id is null and key is null and label is null)
        or (source = 'import' and import_id is not null and calendar_id is null and key is not null)`,
    )
    .execute()
  await db.schema
    .createIndex('busy_times_provider')
    .on('busy_times')
    .columns(['provider_no', 'end_at'])
    .execute()
  await db.schema
    .createIndex('busy_times_calendar')
    .on('busy_times')
    .column('calendar_id')
    .execute()
  await db.schema.createIndex('busy_times_import').on('busy_times').column('import_id').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('busy_times').execute()
  await db.schema.dropTable('imports').execute()
  await db.schema.dropTable('outside_calendars').execute()
}
