import { CompiledQuery } from 'kysely'
import type { Db } from '#db/engine.ts'
import type { Tables } from '#db/tables.ts'

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
