import { type Kysely, sql } from 'kysely'

/** Times a provider asks a patient to choose from for a coming visit; they are nobody's meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('visit_proposals')
    .addColumn('booking_no', 'integer', (c) => c.notNull().references('bookings.no'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('place_no', 'integer', (c) => c.notNull().references('places.no'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('visit_proposals_key', ['booking_no', 'position'])
    .addUniqueConstraint('visit_proposals_once', ['booking_no', 'start_at'])
    .addCheckConstraint('visit_proposals_most', sql`position between 0 and 2`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('visit_proposals').execute()
}
