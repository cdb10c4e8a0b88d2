import type { Kysely } from 'kysely'
import { countingKey } from './dialect.ts'

/** The images staff may choose from, and the versions of the homepage that can be gone back to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('homepage')
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('gallery_images')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('image_url', 'text', (c) => c.notNull())
    .addColumn('alt', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('uploaded_by', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('removed_at', 'bigint')
    .addUniqueConstraint('gallery_images_once', ['image_url', 'purpose'])
    .execute()
  await db.schema
    .createIndex('gallery_images_uploader')
    .on('gallery_images')
    .columns(['uploaded_by'])
    .execute()
  await db.schema
    .createTable('gallery_files')
    .addColumn('image_no', 'integer', (c) => c.notNull().references('gallery_images.no'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('gallery_files_key', ['image_no', 'width'])
    .execute()
  await db.schema.createIndex('gallery_files_path').on('gallery_files').columns(['path']).execute()
  await db.schema
    .createTable('homepage_versions')
    .addColumn('version', 'integer', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('act', 'text', (c) => c.notNull())
    .addColumn('restored', 'integer')
    .addColumn('image_url', 'text')
    .addColumn('color', 'text', (c) => c.notNull())
    .addColumn('modal_image', 'text')
    .addColumn('show_modal', 'integer', (c) => c.notNull())
    .addColumn('modal_heading', 'text', (c) => c.notNull())
    .addColumn('modal_description', 'text', (c) => c.notNull())
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['homepage_versions', 'gallery_files', 'gallery_images']) {
    await db.schema.dropTable(table).execute()
  }
  await db.schema.alterTable('homepage').dropColumn('version').execute()
}
