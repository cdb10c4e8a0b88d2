import { sql } from 'kysely'
import type { LateIndex, Step } from '#migrations/step.ts'
import type { Database } from './engine.ts'

/** Names of the indexes that are complete; on Postgres one that a build left behind is not. */
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

async function build({ db, engine }: Database, index: LateIndex): Promise<void> {
  const [name, table] = [sql.id(index.name), sql.id(index.table)]
  const columns = sql.join(index.columns.map((column) => sql.id(column)))
  const where = index.where === undefined ? sql`` : sql` where ${index.where}`
  if (engine === 'sqlite') {
    await sql`create index if not exists ${name} on ${table} (${columns})${where}`.execute(db)
    return
  }
  // A build that was broken off leaves an index that is kept up to date and never used.
  await sql`drop index concurrently if exists ${name}`.execute(db)
  await sql`create index concurrently ${name} on ${table} (${columns})${where}`.execute(db)
}

/**
 * Builds the indexes that migrations leave for afterwards: on Postgres `concurrently`, outside of any
 * transaction, while everybody goes on writing. Tried again at the next start where it was broken off.
 */
export async function buildLateIndexes(database: Database, steps: Iterable<Step>): Promise<void> {
  const wanted = [...steps].flatMap(({ indexes = [] }) => indexes)
  if (wanted.length === 0) return
  const built = await builtIndexes(database)
  for (const index of wanted) if (!built.has(index.name)) await build(database, index)
}
