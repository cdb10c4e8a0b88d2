import { type Kysely, type SqlBool, sql } from 'kysely'
import { countingKey, isPostgres } from './dialect.ts'

/** Bookings, the claim by which the database refuses two at one time, and files that go with mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bookings')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('patient_no', 'integer', (c) => c.notNull().references('accounts.no'))
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('place_no', 'integer', (c) => c.notNull().references('places.no'))
    .addColumn('region', 'text', (c) => c.notNull())
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('end_at', 'bigint', (c) => c.notNull())
    .addColumn('time_zone', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('hold_until', 'bigint', (c) => c.notNull())
    .addColumn('renewed', 'integer', (c) => c.notNull())
    .addColumn('visit_type', 'text', (c) => c.notNull())
    .addColumn('follow_up_basis', 'text')
    .addColumn('payment_method', 'text', (c) => c.notNull())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('code_at', 'bigint')
    .addColumn('first_minor', 'integer', (c) => c.notNull())
    .addColumn('follow_minor', 'integer', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('free_cancel_hours', 'integer', (c) => c.notNull())
    .addColumn('late_cancel_percent', 'integer', (c) => c.notNull())
    .addColumn('distance', 'text')
    .addColumn('paid_by', 'integer', (c) => c.unique())
    .addColumn('sequence', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('closed_at', 'bigint')
    .addCheckConstraint('bookings_time', sql`end_at > start_at`)
    .addCheckConstraint('bookings_fees', sql`first_minor > 0 and follow_minor > 0`)
    .addCheckConstraint(
      'bookings_paid',
      sql`(state in ('confirmed', 'cancelled')) = (paid_by is not null)`,
    )
    .execute()
  await db.schema
    .createIndex('bookings_patient')
    .on('bookings')
    .columns(['patient_no', 'state', 'start_at'])
    .execute()
  await db.schema
    .createIndex('bookings_provider')
    .on('bookings')
    .columns(['provider_no', 'state', 'start_at'])
    .execute()
  await db.schema
    .createIndex('bookings_held')
    .on('bookings')
    .columns(['hold_until'])
    .where(sql<SqlBool>`state = 'held'`)
    .execute()
  // What is still to be forgotten of times given back.
  await db.schema
    .createIndex('bookings_told')
    .on('bookings')
    .columns(['closed_at'])
    .where(sql<SqlBool>`state = 'released' and purpose <> ''`)
    .execute()
  await db.schema
    .createTable('slot_claims')
    .addColumn('booking_no', 'integer', (c) => c.primaryKey().references('bookings.no'))
    .addColumn('provider_no', 'integer', (c) => c.notNull())
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('end_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('slot_claims_time', sql`end_at > start_at`)
    .execute()
  await forbidOverlap(db)
  await db.schema
    .alterTable('mails')
    .addColumn('files', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
}

/**
 * No two claims of one provider overlap, whatever their lengths. The integer range needs no extension
 * to stand beside the time range in one index.
 */
async function forbidOverlap(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`alter table slot_claims add constraint slot_claims_no_overlap exclude using gist (
      int4range(provider_no, provider_no, '[]') with &&,
      int8range(start_at, end_at) with &&)`.execute(db)
    return
  }
  await db.schema
    .createIndex('slot_claims_provider')
    .on('slot_claims')
    .columns(['provider_no', 'start_at'])
    .execute()
  const overlaps = sql`select raise(abort, 'slot_claims_no_overlap') where exists (
    select 1 from slot_claims where provider_no = new.provider_no
      and start_at < new.end_at and end_at > new.start_at and booking_no <> new.booking_no);`
  await sql`create trigger slot_claims_no_overlap_insert before insert on slot_claims
    begin ${overlaps} end`.execute(db)
  await sql`create trigger slot_claims_no_overlap_update before update on slot_claims
    begin ${overlaps} end`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('mails').dropColumn('files').execute()
  await db.schema.dropTable('slot_claims').execute()
  await db.schema.dropTable('bookings').execute()
}
