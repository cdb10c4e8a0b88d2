import { type Kysely, type SqlBool, sql } from 'kysely'
import { countingKey } from './dialect.ts'

/** What staff ask providers for before they decide; whoever was asked waits behind the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('verification_requests')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor_id', 'text', (c) => c.notNull())
    .addColumn('what', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('verification_requests_provider')
    .on('verification_requests')
    .columns(['provider_no', 'at'])
    .execute()
  await db.schema.alterTable('provider_standings').addColumn('asked_again_at', 'bigint').execute()
  // Those who wait are few among all providers, and staff open their list many times a day.
  await db.schema
    .createIndex('providers_unverified')
    .on('providers')
    .columns(['no'])
    .where(sql<SqlBool>`verification_status = 'Unverified'`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('providers_unverified').execute()
  await db.schema.alterTable('provider_standings').dropColumn('asked_again_at').execute()
  await db.schema.dropTable('verification_requests').execute()
}
