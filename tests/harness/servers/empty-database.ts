import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, openDatabase } from '#db/engine.ts'
import { loadReference } from '#db/geo/load.ts'
import { migrateToLatest } from '#db/migrate.ts'

type Fill = (database: Database) => Promise<unknown>

async function createImage(fill: Fill): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-image-'))
  const file = join(folder, 'empty.db')
  const database = openDatabase('sqlite::memory:')
  try {
    await fill(database)
    await sql`vacuum into ${file}`.execute(database.db)
    return await readFile(file)
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function openImage(image: Buffer): Promise<Database> {
  const database = openDatabase('sqlite::memory:', { image })
  // Kysely closes only connections that were used.
  await sql`select 1`.execute(database.db)
  return database
}

let emptyImage: Promise<Buffer> | undefined

/** An empty in-memory SQLite with the schema; the migrations run once for all of them. */
export async function openEmptyDatabase(): Promise<Database> {
  emptyImage ??= createImage(migrateToLatest)
  return openImage(await emptyImage)
}

async function migrateAndLoad(database: Database): Promise<void> {
  await migrateToLatest(database)
  await loadReference(database)
}

let placesImage: Promise<Buffer> | undefined

/**
 * The bytes of an SQLite file with the schema and all places, which take seconds to load; a server that starts
 * on it finds nothing to do.
 */
export function drawWithPlaces(): Promise<Buffer> {
  placesImage ??= createImage(migrateAndLoad)
  return placesImage
}

/** An in-memory SQLite with the schema and all places. */
export async function openWithPlaces(): Promise<Database> {
  return openImage(await drawWithPlaces())
}

/** An empty Postgres database with the schema, the template of the test databases. */
export const MIGRATED_TEMPLATE = 'migrated'

/** Runs a statement on the Postgres server itself, such as creating a database. */
export async function runOnPostgres(
  server: string,
  work: (admin: Database) => Promise<unknown>,
): Promise<void> {
  const admin = openDatabase(`${server}/postgres`, { poolSize: 1 })
  try {
    await work(admin)
  } finally {
    await admin.close()
  }
}

/**
 * Creates a database as a copy of `template`, which must have no connections. Copying files is faster than the default,
 * which writes them to the log.
 */
export async function createDatabase(
  admin: Database,
  name: string,
  template: string,
): Promise<void> {
  const from = sql.id(template)
  await sql`create database ${sql.id(name)} encoding 'UTF8' template ${from} strategy file_copy`.execute(
    admin.db,
  )
}

/** A database that several processes may open by its URL. Use it with `await using`. */
export type SharedDatabase = { name: string; url: string } & AsyncDisposable

/** An empty SQLite file in a folder of its own. */
export async function makeSqliteFile(): Promise<SharedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-shared-'))
  const name = join(folder, 'shared.db')
  return {
    name,
    url: `sqlite:${name}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A new database on a Postgres server, empty unless a template is named. */
export async function makePostgresDatabase(
  server: string,
  template = 'template0',
): Promise<SharedDatabase> {
  const name = `shared_${randomBytes(6).toString('hex')}`
  await runOnPostgres(server, (admin) => createDatabase(admin, name, template))
  return {
    name,
    url: `${server}/${name}`,
    [Symbol.asyncDispose]: () =>
      runOnPostgres(server, ({ db }) => sql`drop database ${sql.id(name)}`.execute(db)),
  }
}

/** Makes `MIGRATED_TEMPLATE` on a new server, before its first test. */
export async function makeTemplate(server: string): Promise<void> {
  await runOnPostgres(server, (admin) => createDatabase(admin, MIGRATED_TEMPLATE, 'template0'))
  const database = openDatabase(`${server}/${MIGRATED_TEMPLATE}`, { poolSize: 1 })
  try {
    await migrateToLatest(database)
  } finally {
    await database.close()
  }
}

const PLACES = 'migrated_with_places'

/** Creates a database with the schema and all places; the first test that asks for one makes its template. */
export function createWithPlaces(server: string, name: string): Promise<void> {
  return runOnPostgres(server, async (admin) => {
    await makePlacesTemplate(server, admin)
    await createDatabase(admin, name, PLACES)
  })
}

async function makePlacesTemplate(server: string, admin: Database): Promise<void> {
  // Held until the connection ends: tests of other workers wait for the template.
  await sql`select pg_advisory_lock(1)`.execute(admin.db)
  const found = await sql`select 1 from pg_database where datname = ${PLACES}`.execute(admin.db)
  if (found.rows.length > 0) return
  await createDatabase(admin, PLACES, MIGRATED_TEMPLATE)
  const database = openDatabase(`${server}/${PLACES}`, { poolSize: 1 })
  try {
    await loadReference(database)
  } finally {
    await database.close()
  }
  // A template must have no connections, and autovacuum would open some to so many new rows.
  await sql`alter database ${sql.id(PLACES)} allow_connections false`.execute(admin.db)
  await sql`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = ${PLACES}`.execute(
    admin.db,
  )
}
