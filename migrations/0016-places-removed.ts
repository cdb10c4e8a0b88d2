import { type Kysely, sql } from 'kysely'

/** A place that visits were booked at stays for them when its provider leaves it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('places').addColumn('removed_at', 'bigint').execute()
}

/** Places that were left come back: what refers to them cannot do without. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update places set position = no where removed_at is not null`.execute(db)
  await db.schema.alterTable('places').dropColumn('removed_at').execute()
}
