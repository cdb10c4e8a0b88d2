import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'

let image: Promise<Buffer> | undefined

async function drawImage(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-image-'))
  const file = join(folder, 'empty.db')
  const database = openDatabase('sqlite::memory:')
  try {
    await migrateToLatest(database)
    await sql`vacuum into ${file}`.execute(database.db)
    return await readFile(file)
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** An empty in-memory SQLite with the schema; the migrations run once for all of them. */
export async function openEmpty(): Promise<Database> {
  image ??= drawImage()
  const database = openDatabase('sqlite::memory:', { image: await image })
  // Kysely closes only connections that were used.
  await sql`select 1`.execute(database.db)
  return database
}

/** An empty Postgres database with the schema, the template of the test databases. */
export const MIGRATED = 'migrated'

/** Runs a statement on the Postgres server itself, such as creating a database. */
export async function onPostgres(
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
 * Creates a database as a copy of `template`, which must have no connections. Copying files takes a fifth of
 * the time of the default, which writes them to the log.
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

/** Makes `MIGRATED` on a new server, before its first test. */
export async function makeTemplate(server: string): Promise<void> {
  await onPostgres(server, (admin) => createDatabase(admin, MIGRATED, 'template0'))
  const database = openDatabase(`${server}/${MIGRATED}`, { poolSize: 1 })
  try {
    await migrateToLatest(database)
  } finally {
    await database.close()
  }
}
