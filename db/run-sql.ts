import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Db } from './engine.ts'

const numbered = new Map<string, string>()

/** Texts kept in their Postgres form. Each shape of a statement is one; there are few. */
const MAX_TEXTS = 1_000

function withNumbers(text: string): string {
  let known = numbered.get(text)
  if (known === undefined) {
    let count = 0
    known = text.replaceAll('?', () => `$${++count}`)
    if (numbered.size >= MAX_TEXTS) numbered.clear()
    numbered.set(text, known)
  }
  return known
}

/**
 * Runs a statement written by hand, past the query builder: for the few hot reads where building
 * costs as much as reading. Every `?` is a parameter, also on Postgres; the caller vouches for `Row`.
 */
export async function runSql<Row>(
  db: Db,
  text: string,
  parameters: readonly (number | string)[],
): Promise<Row[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const query = CompiledQuery.raw(isPostgres ? withNumbers(text) : text, [...parameters])
  const { rows } = await db.executeQuery<Row>(query)
  return rows
}
