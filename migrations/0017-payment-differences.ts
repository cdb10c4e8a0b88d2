import type { Kysely } from 'kysely'

/** What the gateways' books and ours disagree about, laid aside for staff. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payment_differences')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('object', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('payment_no', 'integer', (c) => c.references('payments.no'))
    .addColumn('amount_minor', 'integer', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('found_at', 'bigint', (c) => c.notNull())
    .addColumn('told_at', 'bigint')
    .addPrimaryKeyConstraint('payment_differences_key', ['gateway', 'object', 'kind'])
    .execute()
  await db.schema
    .createIndex('payment_differences_told')
    .on('payment_differences')
    .columns(['told_at'])
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('payment_differences').execute()
}
