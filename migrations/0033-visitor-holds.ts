import { type Kysely, type SqlBool, sql } from 'kysely'

/**
 * Times held by somebody who has not signed in yet. They belong to nobody until an account takes them
 * over, so the database itself refuses to make one of them a visit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bookings')
    .alterColumn('patient_no', (c) => c.dropNotNull())
    .execute()
  await db.schema.alterTable('bookings').addColumn('visitor', 'text').execute()
  await db.schema
    .alterTable('bookings')
    .addCheckConstraint(
      'bookings_owner',
      sql`case when patient_no is null then state in ('held', 'released') else visitor is null end`,
    )
    .execute()
  await db.schema
    .createIndex('bookings_visitor')
    .unique()
    .on('bookings')
    .columns(['visitor'])
    .where(sql<SqlBool>`visitor is not null`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('bookings_visitor').execute()
  await db.schema.alterTable('bookings').dropConstraint('bookings_owner').execute()
  await db.schema.alterTable('bookings').dropColumn('visitor').execute()
  await sql`delete from slot_claims where booking_no in (
    select no from bookings where patient_no is null)`.execute(db)
  await sql`delete from bookings where patient_no is null`.execute(db)
  await db.schema
    .alterTable('bookings')
    .alterColumn('patient_no', (c) => c.setNotNull())
    .execute()
}
