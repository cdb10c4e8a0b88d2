import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Db } from './engine.ts'

/** What a statement written by hand may be given; arrays on Postgres alone. */
export type Parameter = number | string | readonly number[]

/** Whether statements of this handle go to Postgres. */
function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

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
  parameters: readonly Parameter[],
): Promise<Row[]> {
  const query = CompiledQuery.raw(isPostgres(db) ? withNumbers(text) : text, [...parameters])
  const { rows } = await db.executeQuery<Row>(query)
  return rows
}

/** Columns of an inline table in their order, by types that both engines know. */
export type InlineColumns = Readonly<Record<string, 'integer' | 'bigint' | 'double precision'>>

const times = (count: number, one: string) => Array<string>(count).fill(one).join(', ')

/**
 * A table of numbers for the `with` of a statement: its name, its columns and a `?` for each of
 * `inlineValues`. On Postgres each column is one array, so that any number of rows has the same text and
 * the same plan. SQLite has no arrays and gets its rows as `values`, at least one.
 */
export function inlineTable(
  db: Db,
  [name, columns]: readonly [string, InlineColumns],
  rows: number,
): string {
  const [names, types] = [Object.keys(columns), Object.values(columns)]
  const head = `${name} (${names.join(', ')}) as`
  if (isPostgres(db)) {
    return `${head} (select * from unnest(${types.map((type) => `cast(? as ${type}[])`).join(', ')}))`
  }
  return `${head} (values ${times(rows, `(${times(names.length, '?')})`)})`
}

/** What tells the texts of inline tables apart. */
export function inlineShape(db: Db, rows: number): string {
  return isPostgres(db) ? '' : String(rows)
}

/** The parameters of an inline table, row by row. */
export function inlineValues(db: Db, rows: readonly (readonly number[])[]): Parameter[] {
  if (!isPostgres(db)) return rows.flat()
  const [first = []] = rows
  return first.map((_, column) => rows.map((row) => row[column] ?? 0))
}
