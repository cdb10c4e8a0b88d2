import { type Kysely, sql } from 'kysely'
import { clusteredByKey, isPostgres } from './dialect.ts'

/** The search's own rows, ordered by specialty, latitude band and longitude. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Names are compared byte by byte, so that both engines sort alike.
  const sortable = isPostgres(db) ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('search_index')
    .addColumn('specialty_no', 'integer', (c) => c.notNull())
    .addColumn('band', 'integer', (c) => c.notNull())
    .addColumn('longitude', 'double precision', (c) => c.notNull())
    .addColumn('provider_no', 'integer', (c) => c.notNull())
    .addColumn('place_no', 'integer', (c) => c.notNull())
    .addColumn('x', 'double precision', (c) => c.notNull())
    .addColumn('y', 'double precision', (c) => c.notNull())
    .addColumn('z', 'double precision', (c) => c.notNull())
    .addColumn('next_free', 'bigint', (c) => c.notNull())
    .addColumn('fee_minor', 'integer', (c) => c.notNull())
    .addColumn('features', 'integer', (c) => c.notNull())
    .addColumn('languages', 'integer', (c) => c.notNull())
    .addColumn('siblings', 'integer', (c) => c.notNull())
    .addColumn('name_key', sortable, (c) => c.notNull())
    .addPrimaryKeyConstraint('search_index_pk', [
      'specialty_no',
      'band',
      'longitude',
      'provider_no',
      'place_no',
    ])
    .modifyEnd(clusteredByKey(db))
    .execute()
  await db.schema
    .createIndex('search_index_provider')
    .on('search_index')
    .columns(['provider_no'])
    .execute()
  // Few providers have several places: what they must not count twice is found among them alone.
  await db.schema
    .createIndex('search_index_siblings')
    .on('search_index')
    .columns(['specialty_no', 'band', 'longitude'])
    .where(sql.ref('siblings'), '=', sql.lit(1))
    .execute()
  // The sweep that refreshes what the clock has overtaken.
  await db.schema
    .createIndex('search_index_next_free')
    .on('search_index')
    .columns(['next_free'])
    .execute()
  await db.schema
    .createTable('search_cells')
    .addColumn('specialty_no', 'integer', (c) => c.notNull())
    .addColumn('band', 'integer', (c) => c.notNull())
    .addColumn('cell', 'integer', (c) => c.notNull())
    .addColumn('places', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('search_cells_pk', ['specialty_no', 'band', 'cell'])
    .modifyEnd(clusteredByKey(db))
    .execute()
  if (isPostgres(db)) {
    // Postgres heaps are not clustered: carry the columns so that the scan never leaves the index.
    await sql`create index search_index_cover on search_index (specialty_no, band, longitude)
      include (x, y, z, provider_no, place_no, next_free, fee_minor, features, languages,
        siblings)`.execute(db)
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('search_cells').execute()
  await db.schema.dropTable('search_index').execute()
}
