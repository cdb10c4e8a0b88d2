import type { Kysely } from 'kysely'

/** Providers that patients have saved to find them again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('favourites')
    .addColumn('account_no', 'integer', (c) => c.notNull().references('accounts.no'))
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('favourites_key', ['account_no', 'provider_no'])
    .execute()
  await db.schema
    .createIndex('favourites_provider')
    .on('favourites')
    .column('provider_no')
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('favourites').execute()
}
