import type { Kysely } from 'kysely'

/** Societies that providers belong to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('providers')
    .addColumn('affiliations', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('providers').dropColumn('affiliations').execute()
}
