import type { Kysely } from 'kysely'

/** Keys of writes, so that a repeat gets the first answer instead of being done again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('account_no', 'integer', (c) => c.notNull().references('accounts.no'))
    .addColumn('key_hash', 'text', (c) => c.notNull())
    .addColumn('body_hash', 'text', (c) => c.notNull())
    .addColumn('answer', 'text')
    .addColumn('lease_until', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['account_no', 'key_hash'])
    .execute()
  await db.schema
    .createIndex('idempotency_keys_expiry')
    .on('idempotency_keys')
    .columns(['expires_at'])
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('idempotency_keys').execute()
}
