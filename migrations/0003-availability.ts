import { type Kysely, sql } from 'kysely'
import { clusteredByKey } from './dialect.ts'

/** Slots as rows; the partial index serves "next free times" from the free ones alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('slots')
    .addColumn('provider_no', 'integer', (c) => c.notNull())
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('place_no', 'integer', (c) => c.notNull())
    .addColumn('minutes', 'integer', (c) => c.notNull())
    .addColumn('free', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('slots_pk', ['provider_no', 'start_at'])
    .modifyEnd(clusteredByKey(db))
    .execute()
  await db.schema
    .createIndex('slots_free')
    .on('slots')
    .columns(['provider_no', 'start_at'])
    .where(sql.ref('free'), '=', sql.lit(1))
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('slots').execute()
}
