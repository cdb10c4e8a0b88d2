import type { Kysely } from 'kysely'

/** The times in a provider's other calendar that could not be read with certainty; null for none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outside_calendars').addColumn('doubts', 'text').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outside_calendars').dropColumn('doubts').execute()
}
