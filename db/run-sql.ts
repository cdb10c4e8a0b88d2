import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Db } from './engine.ts'

/** Parameter of a handwritten statement. */
export type Parameter = number | string

/** Whether this handle's statements go to Postgres. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

const numbered = new Map<string, string>()

/** Statements in Postgres form, by their text with `?`; there are few. */
const MAX_TEXTS = 1_000

function withNumberedPlaceholders(text: string): string {
  let known = numbered.get(text)
  if (known === undefined) {
    let count = 0
    known = text.replaceAll('?', () => `$${++count}`)
    if (numbered.size >= MAX_TEXTS) numbered.clear()
    numbered.set(text, known)
  }
  return known
}

/** Names of the reads that connections may prepare, by their text in Postgres form. */
const names = new Map<string, string>()

/** Each prepared statement takes memory in every connection to Postgres. Later ones are not prepared. */
const MAX_NAMES = 200

/** The name under which a connection may prepare a statement; undefined for most. */
export function nameOf(text: string): string | undefined {
  return names.get(text)
}

async function run<Row>(db: Db, text: string, parameters: readonly Parameter[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
  return rows
}

/**
 * Runs a handwritten statement without the query builder, for the few hot ones. Every `?` is a parameter, on Postgres
 * too; the caller vouches for `Row`.
 */
export function runSql<Row>(
  db: Db,
  text: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  return run(db, isPostgres(db) ? withNumberedPlaceholders(text) : text, parameters)
}

/** As `runSql`, for reads with few distinct texts: a direct connection to Postgres prepares them. */
export function readSql<Row>(
  db: Db,
  text: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  if (!isPostgres(db)) return run(db, text, parameters)
  const numberedText = withNumberedPlaceholders(text)
  if (names.size < MAX_NAMES && !names.has(numberedText)) {
    names.set(numberedText, `read_${names.size}`)
  }
  return run(db, numberedText, parameters)
}

/** Columns of an inline table in their order, by types that both engines know. */
export type InlineColumns = Readonly<Record<string, 'integer' | 'bigint' | 'double precision'>>

const repeat = (count: number, one: string) => Array<string>(count).fill(one).join(', ')

/**
 * A table of numbers for a `with` clause: its name, its columns and a `?` for each of `inlineValues`. On
 * Postgres each column is one array, so that any number of rows has the same text and the same plan. SQLite
 * has no arrays and gets the rows as `values`, at least one.
 */
export function inlineTable(
  db: Db,
  [name, columns]: readonly [string, InlineColumns],
  rows: number,
): string {
  const types = Object.values(columns)
  const head = `${name} (${Object.keys(columns).join(', ')}) as`
  if (isPostgres(db)) {
    return `${head} (select * from unnest(${types.map((type) => `cast(? as ${type}[])`).join(', ')}))`
  }
  return `${head} (values ${repeat(rows, `(${repeat(types.length, '?')})`)})`
}

/** Distinguishes the texts of inline tables in a cache key. */
export function inlineShape(db: Db, rows: number): string {
  return isPostgres(db) ? '' : String(rows)
}

/** The parameters of an inline table: row by row, or on Postgres one array literal per column. */
export function inlineValues(db: Db, rows: readonly (readonly number[])[]): Parameter[] {
  if (!isPostgres(db)) return rows.flat()
  const [first = []] = rows
  return first.map((_, column) => `{${rows.map((row) => row[column]).join()}}`)
}
