import { type Kysely, sql } from 'kysely'
import { countingKey, isPostgres } from './dialect.ts'

/**
 * How a visit takes place, where a patient will be for one by video, how a provider holds those, and a
 * row for every joining that can never be altered.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bookings')
    .addColumn('mode', 'text', (c) =>
      c.notNull().defaultTo('in_person').check(sql`mode in ('in_person', 'video')`),
    )
    .execute()
  for (const name of ['patient_state', 'video_room']) {
    await db.schema.alterTable('bookings').addColumn(name, 'text').execute()
  }
  for (const name of ['video_link', 'licensed_states']) {
    await db.schema.alterTable('providers').addColumn(name, 'text').execute()
  }
  await db.schema
    .createTable('visit_joins')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('booking_no', 'integer', (c) => c.notNull().references('bookings.no'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('by_kind', 'text', (c) => c.notNull())
    .addColumn('by_id', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addCheckConstraint('visit_joins_by', sql`by_kind in ('patient', 'provider')`)
    .execute()
  await db.schema
    .createIndex('visit_joins_booking')
    .on('visit_joins')
    .columns(['booking_no', 'no'])
    .execute()
  await keepJoins(db)
}

/** Evidence: nobody alters or removes it. */
async function keepJoins(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create function visit_joins_are_kept() returns trigger language plpgsql as $$
      begin raise exception 'joinings of visits are kept'; end $$`.execute(db)
    await sql`create trigger visit_joins_kept before update or delete on visit_joins for each row
      execute function visit_joins_are_kept()`.execute(db)
    return
  }
  await sql`create trigger visit_joins_update before update on visit_joins
    begin select raise(abort, 'joinings of visits are kept'); end`.execute(db)
  await sql`create trigger visit_joins_delete before delete on visit_joins
    begin select raise(abort, 'joinings of visits are kept'); end`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('visit_joins').execute()
  if (isPostgres(db)) await sql`drop function visit_joins_are_kept()`.execute(db)
  for (const name of ['licensed_states', 'video_link']) {
    await db.schema.alterTable('providers').dropColumn(name).execute()
  }
  for (const name of ['video_room', 'patient_state', 'mode']) {
    await db.schema.alterTable('bookings').dropColumn(name).execute()
  }
}
