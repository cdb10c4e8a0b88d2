import { CompiledQuery } from 'kysely'
import type { Database, Db } from '#db/engine.ts'
import type { Tables } from '#db/tables.ts'

/** A value of this database from app_meta, or undefined. */
export async function readMeta(db: Db, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('app_meta')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value
}

/** Inserts or updates a value. */
export async function writeMeta(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('app_meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/**
 * Claims a key that only one process may have, inside a transaction. A second process waits here until the
 * first commits, and then gets false.
 */
export async function claimMeta(db: Db, key: string, value: string): Promise<boolean> {
  const taken = await db
    .insertInto('app_meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .execute()
  return taken.length === 1
}

/**
 * Does a part of the demo once: the key marks it as done, in the transaction of `work`. Returns whether this
 * call did it.
 */
export async function seedOnce(
  database: Database,
  key: string,
  work: (db: Db) => Promise<void>,
): Promise<boolean> {
  if ((await readMeta(database.db, key)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, key, '1'))) return false
    await work(db)
    return true
  })
}

/**
 * Replaces a value if it is still the one that was read (compare and swap); the loser of a race gets false.
 */
export async function swapMeta(
  db: Db,
  key: string,
  change: { from: string; to: string },
): Promise<boolean> {
  const result = await db
    .updateTable('app_meta')
    .set({ value: change.to })
    .where('key', '=', key)
    .where('value', '=', change.from)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** SQLite takes 32,766 values in a statement, Postgres twice that. */
const MAX_VALUES_PER_STATEMENT = 30_000

type Value = string | number | null

/**
 * Inserts many rows of the same columns; rows whose key exists are left as they are. The SQL is built once per batch
 * size, because Kysely's builder is slow for this many rows.
 */
export async function insertMany(
  database: { db: Db; engine: 'sqlite' | 'postgres' },
  into: { table: keyof Tables; columns: readonly string[] },
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const width = into.columns.length
  const size = Math.floor(MAX_VALUES_PER_STATEMENT / width)
  const texts = new Map<number, string>()
  for (let from = 0; from < rows.length; from += size) {
    const piece = rows.slice(from, from + size)
    const text = texts.get(piece.length) ?? statement(database.engine, into, piece.length)
    texts.set(piece.length, text)
    await database.db.executeQuery(CompiledQuery.raw(text, piece.flat()))
  }
}

function statement(
  engine: 'sqlite' | 'postgres',
  into: { table: string; columns: readonly string[] },
  count: number,
): string {
  const width = into.columns.length
  const row = (at: number) =>
    into.columns
      .map((_, column) => (engine === 'postgres' ? `$${at * width + column + 1}` : '?'))
      .join(',')
  const values = Array.from({ length: count }, (_, at) => `(${row(at)})`).join(',')
  const names = into.columns.map((column) => `"${column}"`).join(',')
  return `insert into "${into.table}" (${names}) values ${values} on conflict do nothing`
}
