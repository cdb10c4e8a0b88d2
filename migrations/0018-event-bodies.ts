import { type Kysely, sql } from 'kysely'

/** Bodies of events that were acted on name whoever paid, and nobody needs them any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update gateway_events set body = '' where processed_at is not null`.execute(db)
}

/** What was blanked stays so. */
export async function down(): Promise<void> {}
