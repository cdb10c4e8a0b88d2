import type { Kysely } from 'kysely'

/** The homepage record: picture, colour and the promotional modal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('homepage')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('image_url', 'text')
    .addColumn('color', 'text', (c) => c.notNull().defaultTo('#ffffff'))
    .addColumn('modal_image', 'text')
    .addColumn('show_modal', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('modal_heading', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('modal_description', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('homepage').execute()
}
