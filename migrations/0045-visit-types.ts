import { type Kysely, sql } from 'kysely'
import { countingKey } from './dialect.ts'

/**
 * Kinds of visits a provider offers, each with its length and fees. Everybody gets one, made of the fees
 * and the length they have: nothing that patients see changes. Bookings keep which one was chosen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('visit_types')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('minutes', 'integer', (c) => c.notNull())
    .addColumn('first_minor', 'integer', (c) => c.notNull())
    .addColumn('follow_minor', 'integer', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('place_no', 'integer', (c) => c.references('places.no'))
    .addColumn('archived_at', 'bigint')
    .addCheckConstraint('visit_types_minutes', sql`minutes > 0`)
    .addCheckConstraint('visit_types_fees', sql`first_minor >= 0 and follow_minor >= 0`)
    .addCheckConstraint('visit_types_mode', sql`mode in ('in_person', 'video', 'both')`)
    .execute()
  await db.schema
    .createIndex('visit_types_provider')
    .on('visit_types')
    .columns(['provider_no', 'position'])
    .execute()
  // The random part of the provider's own id: nobody has two.
  await sql`insert into visit_types
      (id, provider_no, position, name, minutes, first_minor, follow_minor, mode)
    select 'vtp_' || substr(id, 5), no, 0, 'Consultation', consultation_minutes, amount_minor,
      follow_amount_minor, 'both'
    from providers order by no`.execute(db)
  await db.schema.alterTable('bookings').addColumn('type_no', 'integer').execute()
  await db.schema.alterTable('bookings').addColumn('type_name', 'text').execute()
  for (const name of ['visit_minutes', 'buffer_minutes']) {
    await db.schema
      .alterTable('search_index')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of ['buffer_minutes', 'visit_minutes']) {
    await db.schema.alterTable('search_index').dropColumn(name).execute()
  }
  await db.schema.alterTable('bookings').dropColumn('type_name').execute()
  await db.schema.alterTable('bookings').dropColumn('type_no').execute()
  await db.schema.dropTable('visit_types').execute()
}
