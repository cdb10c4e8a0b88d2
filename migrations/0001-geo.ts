import { type Kysely, type RawBuilder, sql } from 'kysely'
import { clusteredByKey, isPostgres } from './dialect.ts'

/** Codes are compared byte by byte, so that a prefix is one range on both engines. */
function codeText(db: Kysely<unknown>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`text collate "C"` : sql`text`
}

/** Places: postcodes and ZIP codes with their points, and names of towns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('geo_uk_units')
    .addColumn('postcode', codeText(db), (c) => c.notNull().primaryKey())
    .addColumn('latitude', 'double precision', (c) => c.notNull())
    .addColumn('longitude', 'double precision', (c) => c.notNull())
    .modifyEnd(clusteredByKey(db))
    .execute()
  await db.schema
    .createTable('geo_uk_sectors')
    .addColumn('sector', codeText(db), (c) => c.notNull().primaryKey())
    .addColumn('outcode', codeText(db), (c) => c.notNull())
    .addColumn('latitude', 'double precision', (c) => c.notNull())
    .addColumn('longitude', 'double precision', (c) => c.notNull())
    .addColumn('postcodes', 'integer', (c) => c.notNull())
    .modifyEnd(clusteredByKey(db))
    .execute()
  await db.schema
    .createTable('geo_uk_outcodes')
    .addColumn('code', codeText(db), (c) => c.notNull().primaryKey())
    .addColumn('level', 'text', (c) => c.notNull())
    .addColumn('latitude', 'double precision', (c) => c.notNull())
    .addColumn('longitude', 'double precision', (c) => c.notNull())
    .addColumn('postcodes', 'integer', (c) => c.notNull())
    .addColumn('near', 'text', (c) => c.notNull())
    .modifyEnd(clusteredByKey(db))
    .execute()
  await db.schema
    .createTable('geo_us_zips')
    .addColumn('zip', codeText(db), (c) => c.notNull().primaryKey())
    .addColumn('latitude', 'double precision', (c) => c.notNull())
    .addColumn('longitude', 'double precision', (c) => c.notNull())
    .addColumn('city', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('time_zone', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .modifyEnd(clusteredByKey(db))
    .execute()
  await db.schema
    .createTable('geo_places')
    .addColumn('region', codeText(db), (c) => c.notNull())
    .addColumn('key', codeText(db), (c) => c.notNull())
    .addColumn('id', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('admin', 'text', (c) => c.notNull())
    .addColumn('admin_name', 'text', (c) => c.notNull())
    .addColumn('latitude', 'double precision', (c) => c.notNull())
    .addColumn('longitude', 'double precision', (c) => c.notNull())
    .addColumn('population', 'integer', (c) => c.notNull())
    .addColumn('near', 'text', (c) => c.notNull())
    .addColumn('is_alias', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('geo_places_pk', ['region', 'key', 'id'])
    .modifyEnd(clusteredByKey(db))
    .execute()
  await db.schema
    .createTable('geo_meta')
    .addColumn('key', 'text', (c) => c.notNull().primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['meta', 'places', 'us_zips', 'uk_outcodes', 'uk_sectors', 'uk_units']) {
    await db.schema.dropTable(`geo_${table}`).execute()
  }
}
