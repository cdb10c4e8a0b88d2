import { type Kysely, type SqlBool, sql } from 'kysely'
import { countingKey } from './dialect.ts'

/** Where providers want to be paid. Numbers are sealed with a key the database does not have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bank_accounts')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('account_type', 'text')
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('add_key', 'text', (c) => c.notNull())
    .addColumn('is_primary', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('bank_accounts_known', ['provider_no', 'fingerprint'])
    .addUniqueConstraint('bank_accounts_add_key', ['provider_no', 'add_key'])
    .execute()
  await db.schema
    .createIndex('bank_accounts_one_primary')
    .unique()
    .on('bank_accounts')
    .columns(['provider_no'])
    .where(sql<SqlBool>`is_primary = 1`)
    .execute()
  // What is still to be sealed anew after a change of keys.
  await db.schema.createIndex('bank_accounts_key').on('bank_accounts').columns(['key_id']).execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('bank_accounts').execute()
}
