import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type MigrationResultSet, Migrator, NO_MIGRATIONS } from 'kysely/migration'
import { migrations, RELEASED } from '#migrations/registry.ts'
import type { LateIndex, Step } from '#migrations/step.ts'
import { type Database, type Db, openDatabase } from './engine.ts'
import {
  BusyError,
  isBusy,
  isLockTimeout,
  NewerDatabaseError,
  OldDatabaseError,
} from './failures.ts'

/** Arbitrary, but the same in every process: the key of the advisory lock for starting. */
const POSTGRES_KEY = 4_117_150_417

/** Pause between attempts to take the lock. */
const RETRY_MS = 100

/**
 * Takes the lock for this transaction, or throws `BusyError`. `create index concurrently`, which the lock's
 * holder may run, waits for everybody who holds a snapshot. So nobody waits inside a statement, and the key
 * is not a parameter: with one Postgres would keep the statement open until the next one.
 */
async function lockOnPostgres(db: Db): Promise<void> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(POSTGRES_KEY)}) as taken`.execute(db)
  if (rows[0]?.taken !== true) throw new BusyError('another process is starting')
}

function lockUrl(url: string): string | null {
  if (!url.startsWith('sqlite:')) return url
  // Otherwise the lock would be a file named `.start` in the working directory.
  if (url === 'sqlite:') throw new Error('DATABASE_URL must name a file after sqlite:')
  // A database in memory belongs to this process alone.
  return url === 'sqlite::memory:' ? null : `${url}.start`
}

async function tryOnce<T>(url: string, work: () => Promise<T>): Promise<T> {
  const lock = openDatabase(url, { poolSize: 1 })
  try {
    return await lock.transaction(async (db) => {
      // On SQLite the write transaction itself is the lock.
      if (lock.engine === 'postgres') await lockOnPostgres(db)
      return work()
    })
  } finally {
    await lock.close()
  }
}

/**
 * Runs `work` under a lock on the database, so that two starting processes never migrate or seed at once. The
 * lock ends with the process that holds it, however it ends.
 */
export async function withStartLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const lock = lockUrl(url)
  if (lock === null) return work()
  for (;;) {
    let hasStarted = false
    try {
      return await tryOnce(lock, () => {
        hasStarted = true
        return work()
      })
    } catch (error) {
      // The other process takes longer than the lock timeout of a request: keep waiting.
      if (hasStarted || !isBusy(error)) throw error
      await sleep(RETRY_MS)
    }
  }
}

/**
 * How long a migration waits for a lock on Postgres. Others that need the table queue behind it, so it gives
 * up, lets them through, and is retried as a whole.
 */
const LOCK_WAIT_MS = 2_000
const LOCK_TRIES = 30
const LOCK_PAUSE_MS = 1_000

/** Key in `app_meta`: the last migration a version must know to run over this database. */
const MIN_VERSION_KEY = 'serves_from'

/** The migration with a lock timeout. */
function withLockTimeout(step: Step): Step {
  return {
    ...step,
    up: async (db) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(db)
      await step.up(db)
    },
  }
}

function migrationsFor({ engine }: Database): Record<string, Step> {
  if (engine === 'sqlite') return migrations
  const steps = Object.entries(migrations)
  return Object.fromEntries(steps.map(([name, step]) => [name, withLockTimeout(step)]))
}

function migratorFor(database: Database): Migrator {
  return new Migrator({
    db: database.db,
    provider: { getMigrations: () => Promise.resolve(migrationsFor(database)) },
  })
}

function appliedNames(outcome: MigrationResultSet): string[] {
  if (outcome.error !== undefined) {
    throw new Error('A migration failed; the schema is as it was before it.', {
      cause: outcome.error,
    })
  }
  return (outcome.results ?? []).map((result) => result.migrationName)
}

async function runUp(database: Database): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await migratorFor(database).migrateToLatest()
    const isHeld = isLockTimeout(outcome.error) || isBusy(outcome.error)
    if (!isHeld || tries === LOCK_TRIES) return appliedNames(outcome)
    await sleep(LOCK_PAUSE_MS)
  }
}

async function namesIn({ db }: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

async function readMinVersion({ db }: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('app_meta')
    .select('value')
    .where('key', '=', MIN_VERSION_KEY)
    .executeTakeFirst()
  return row?.value
}

/**
 * Migrations of a newer version that this database has and this version does not know; empty if there are
 * none. Throws `NewerDatabaseError` when this version may no longer run over it, and `OldDatabaseError` when no
 * version may that begins with this baseline.
 */
export async function newerMigrations(database: Database): Promise<string[]> {
  const done = await namesIn(database)
  const unknown = done.filter((name) => !(name in migrations))
  if (unknown.length === 0) return []
  const known = Object.keys(migrations)
  const last = known.at(-1) ?? ''
  if (unknown.some((name) => name < last)) throw new OldDatabaseError()
  const from = await readMinVersion(database)
  const isAhead = known.every((name) => done.includes(name))
  if (!isAhead || from === undefined || from > last) throw new NewerDatabaseError({ last, from })
  return unknown
}

/**
 * Brings the schema up to date and returns the names of the migrations that ran: none when a newer version
 * has migrated it and this one may still run. Throws `NewerDatabaseError` when it may not.
 */
export async function migrateToLatest(database: Database): Promise<string[]> {
  if ((await newerMigrations(database)).length > 0) return []
  const done = await runUp(database)
  await buildLateIndexes(database, Object.values(migrations))
  return done
}

/** Records which versions may still run over this database: the previous release, and this one. */
export async function recordMinVersion(database: Database): Promise<void> {
  if ((await readMinVersion(database)) === RELEASED) return
  // On SQLite a transaction waits for its turn, a single statement does not.
  await database.transaction((db) =>
    db
      .insertInto('app_meta')
      .values({ key: MIN_VERSION_KEY, value: RELEASED })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: RELEASED }))
      .execute(),
  )
}

/** Reverts all migrations; for tests and for starting over. */
export async function revertAll(database: Database): Promise<string[]> {
  return appliedNames(await migratorFor(database).migrateTo(NO_MIGRATIONS))
}

/** Names of the valid indexes; on Postgres one left by an interrupted build is not among them. */
async function builtIndexes({ db, engine }: Database): Promise<Set<string>> {
  const built =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'index'`
      : sql<{ name: string }>`select c.relname as name from pg_index i
          join pg_class c on c.oid = i.indexrelid
          where i.indisvalid and c.relnamespace = current_schema()::regnamespace`
  const { rows } = await built.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function buildIndex({ db, engine }: Database, index: LateIndex): Promise<void> {
  const [name, table] = [sql.id(index.name), sql.id(index.table)]
  const columns = sql.join(index.columns.map((column) => sql.id(column)))
  const where = index.where === undefined ? sql`` : sql` where ${index.where}`
  if (engine === 'sqlite') {
    await sql`create index if not exists ${name} on ${table} (${columns})${where}`.execute(db)
    return
  }
  // An interrupted build leaves an index that is updated but never used.
  await sql`drop index concurrently if exists ${name}`.execute(db)
  await sql`create index concurrently ${name} on ${table} (${columns})${where}`.execute(db)
}

/**
 * Builds the indexes that migrations defer: on Postgres `concurrently`, outside of any transaction, so that
 * writers do not wait. An interrupted build is retried at the next start.
 */
export async function buildLateIndexes(database: Database, steps: Iterable<Step>): Promise<void> {
  const lateIndexes = [...steps].flatMap(({ indexes = [] }) => indexes)
  if (lateIndexes.length === 0) return
  const built = await builtIndexes(database)
  for (const index of lateIndexes) if (!built.has(index.name)) await buildIndex(database, index)
}
