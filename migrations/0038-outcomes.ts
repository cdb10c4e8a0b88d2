import { type Kysely, type SqlBool, sql } from 'kysely'

/** What became of a visit, and what its patient says against it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bookings')
    .addColumn('outcome', 'text', (c) =>
      c.check(
        sql`outcome is null or (state = 'confirmed' and outcome in ('completed', 'no_show', 'not_held'))`,
      ),
    )
    .execute()
  await db.schema
    .alterTable('bookings')
    .addColumn('outcome_at', 'bigint', (c) =>
      c.check(sql`(outcome_at is null) = (outcome is null)`),
    )
    .execute()
  await db.schema
    .alterTable('bookings')
    .addColumn('arrived_at', 'bigint', (c) =>
      c.check(sql`arrived_at is null or outcome is null or outcome = 'completed'`),
    )
    .execute()
  // Visits that nobody has marked, for the job that completes them.
  await db.schema
    .createIndex('bookings_unmarked')
    .on('bookings')
    .columns(['end_at'])
    .where(sql<SqlBool>`state = 'confirmed' and outcome is null`)
    .execute()
  // Missed visits, for the job that gives back what is not kept.
  await db.schema
    .createIndex('bookings_missed')
    .on('bookings')
    .columns(['outcome_at'])
    .where(sql<SqlBool>`outcome = 'no_show'`)
    .execute()
  await db.schema
    .createTable('outcome_claims')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('booking_no', 'integer', (c) => c.notNull().unique().references('bookings.no'))
    .addColumn('says', 'text', (c) => c.notNull())
    .addColumn('words', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .addColumn('note', 'text')
    .addCheckConstraint('outcome_claims_says', sql`says in ('was_there', 'not_held')`)
    .addCheckConstraint(
      'outcome_claims_state',
      sql`state in ('open', 'upheld', 'rejected', 'settled')`,
    )
    .addCheckConstraint('outcome_claims_decided', sql`(state = 'open') = (decided_at is null)`)
    .execute()
  await db.schema
    .createIndex('outcome_claims_open')
    .on('outcome_claims')
    .columns(['created_at'])
    .where(sql<SqlBool>`state = 'open'`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('outcome_claims').execute()
  await db.schema.dropIndex('bookings_missed').execute()
  await db.schema.dropIndex('bookings_unmarked').execute()
  for (const column of ['arrived_at', 'outcome_at', 'outcome']) {
    await db.schema.alterTable('bookings').dropColumn(column).execute()
  }
}
