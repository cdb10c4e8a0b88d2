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

/** An SQLite in memory with the schema and nothing in it; the migrations run once for all of them. */
export async function openEmpty(): Promise<Database> {
  image ??= drawImage()
  const database = openDatabase('sqlite::memory:', { image: await image })
  // Kysely closes only what was used.
  await sql`select 1`.execute(database.db)
  return database
}

/** The Postgres database with the schema and nothing in it; `template` of those that tests get. */
export const MIGRATED = 'migrated'

/** Does something on a Postgres as a whole, such as creating a database. */
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
 * Creates a database as a copy of `template`, with which nobody may be connected. Copying its files takes
 * a fifth of the time that writing them to the log does, as Postgres would by itself.
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
