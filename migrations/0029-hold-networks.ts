import { type Kysely, type SqlBool, sql } from 'kysely'

/** Where a time is held from by somebody who has never paid: such holds are capped. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bookings').addColumn('held_from', 'text').execute()
  await db.schema
    .createIndex('bookings_held_from')
    .on('bookings')
    .columns(['held_from', 'hold_until'])
    .where(sql<SqlBool>`held_from is not null`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('bookings_held_from').execute()
  await db.schema.alterTable('bookings').dropColumn('held_from').execute()
}
