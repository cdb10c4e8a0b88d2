import type { Kysely } from 'kysely'

/** What providers answer to requests of staff: some lines and a document, on the page they name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('verification_requests')
    .addColumn('about', 'text', (c) => c.notNull().defaultTo('registration'))
    .execute()
  await db.schema.alterTable('verification_requests').addColumn('answer', 'text').execute()
  await db.schema.alterTable('verification_requests').addColumn('document_no', 'integer').execute()
  await db.schema.alterTable('verification_requests').addColumn('answered_at', 'bigint').execute()
  await db.schema.alterTable('provider_standings').addColumn('answered_at', 'bigint').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('provider_standings').dropColumn('answered_at').execute()
  for (const column of ['answered_at', 'document_no', 'answer', 'about']) {
    await db.schema.alterTable('verification_requests').dropColumn(column).execute()
  }
}
