import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Db } from './engine.ts'

/** What a statement written by hand may be given. */
export type Parameter = number | string

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

/** Names of the reads that connections may keep, by their texts in the form of Postgres. */
const names = new Map<string, string>()

/** Each costs every connection to Postgres some memory. Those that come later are not kept. */
const MAX_NAMES = 200

/** The name under which a connection may keep a statement, parsed and planned; undefined for most. */
export function nameOf(text: string): string | undefined {
  return names.get(text)
}

async function run<Row>(db: Db, text: string, parameters: readonly Parameter[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
  return rows
}

/**
 * Runs a statement written by hand, past the query builder: for the few hot ones where building costs as
 * much as running. Every `?` is a parameter, also on Postgres; the caller vouches for `Row`.
 */
export function runSql<Row>(
  db: Db,
  text: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  return run(db, isPostgres(db) ? withNumbers(text) : text, parameters)
}

/** The same for a read of which there are few texts: a direct connection to Postgres keeps its plan. */
export function readSql<Row>(
  db: Db,
  text: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  if (!isPostgres(db)) return run(db, text, parameters)
  const numberedText = withNumbers(text)
  if (names.size < MAX_NAMES && !names.has(numberedText)) {
    names.set(numberedText, `read_${names.size}`)
  }
  return run(db, numberedText, parameters)
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
  const types = Object.values(columns)
  const head = `${name} (${Object.keys(columns).join(', ')}) as`
  if (isPostgres(db)) {
    return `${head} (select * from unnest(${types.map((type) => `cast(? as ${type}[])`).join(', ')}))`
  }
  return `${head} (values ${times(rows, `(${times(types.length, '?')})`)})`
}

/** What tells the texts of inline tables apart. */
export function inlineShape(db: Db, rows: number): string {
  return isPostgres(db) ? '' : String(rows)
}

/** The parameters of an inline table: row by row, on Postgres an array for each column, in its own notation. */
export function inlineValues(db: Db, rows: readonly (readonly number[])[]): Parameter[] {
  if (!isPostgres(db)) return rows.flat()
  const [first = []] = rows
  return first.map((_, column) => `{${rows.map((row) => row[column]).join()}}`)
}
