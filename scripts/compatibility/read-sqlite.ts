import { sql } from 'kysely'
import type { Db } from '#db/engine.ts'
import { emptyShape, type KeyShape, keyText, type Schema, type TableShape } from './schema.ts'

/** The text in brackets from `start` on, which is where one opens; quotes are skipped over. */
function bracketed(text: string, start: number): string {
  let depth = 0
  let quote = ''
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    if (depth === 0) return text.slice(start, at + 1)
  }
  throw new Error('A definition has a bracket that is never closed.')
}

const CHECK = /(?:\bconstraint\s+"?(\w+)"?\s+)?\bcheck\s*(?=\()/gi

/** SQLite shows the checks of a table only in its definition. */
function checksIn(definition: string): [name: string, text: string][] {
  return [...definition.matchAll(CHECK)].map((found) => {
    const text = bracketed(definition, found.index + found[0].length)
    return [found[1] ?? text, text]
  })
}

async function readColumns(db: Db, tab: string, shape: TableShape): Promise<void> {
  const { rows } = await sql<{
    name: string
    type: string
    notnull: number
    dflt_value: string | null
    pk: number
    hidden: number
  }>`select * from pragma_table_xinfo(${tab})`.execute(db)
  const keys = rows.filter(({ pk }) => pk > 0)
  for (const { name, type, notnull, dflt_value, pk, hidden } of rows) {
    const isRowid = keys.length === 1 && pk > 0 && type.toLowerCase() === 'integer'
    shape.columns.set(name, {
      type: type.toLowerCase(),
      isNullable: notnull === 0 && pk === 0,
      hasDefault: dflt_value !== null || isRowid || hidden > 0,
    })
  }
  const primary = { columns: keys.toSorted((a, b) => a.pk - b.pk).map((k) => k.name), where: '' }
  if (primary.columns.length > 0) shape.uniques.set(keyText(primary), primary)
}

async function readIndexes(db: Db, tab: string, shape: TableShape): Promise<void> {
  const { rows } = await sql<{ name: string; single: number; definition: string | null }>`
    select l.name, l."unique" as single, m.sql as definition
    from pragma_index_list(${tab}) l left join sqlite_master m on m.name = l.name`.execute(db)
  for (const { name, single, definition } of rows) {
    const { rows: parts } = await sql<{ name: string | null }>`
      select name from pragma_index_info(${name}) order by seqno`.execute(db)
    const columns = parts.map((part) => part.name ?? '(expression)')
    const key: KeyShape = { columns, where: /\swhere\s(.*)$/is.exec(definition ?? '')?.[1] ?? '' }
    shape.indexes.set(name, key)
    if (single === 1) shape.uniques.set(keyText(key), key)
  }
}

async function readReferences(db: Db, tab: string, shape: TableShape): Promise<void> {
  const { rows } = await sql<{ id: number; from: string; text: string }>`
    select id, "from", "table" || '(' || coalesce("to", '') || ') ' || on_delete as text
    from pragma_foreign_key_list(${tab}) order by id, seq`.execute(db)
  for (const parts of Map.groupBy(rows, ({ id }) => id).values()) {
    const columns = parts.map((part) => part.from)
    shape.references.set(columns.join(', '), parts.map(({ text }) => text).join(', '))
  }
}

/** The schema of an SQLite database, read from its pragmas and definitions. */
export async function readSqlite(db: Db): Promise<Schema> {
  const schema: Schema = new Map()
  const { rows } = await sql<{ type: string; name: string; tab: string; definition: string }>`
    select type, name, tbl_name as tab, sql as definition from sqlite_master
    where type in ('table', 'trigger') and name not like 'sqlite_%' order by type`.execute(db)
  for (const { type, name, tab, definition } of rows) {
    const shape = schema.get(tab) ?? emptyShape()
    schema.set(tab, shape)
    if (type === 'trigger') {
      shape.triggers.set(name, definition)
      continue
    }
    shape.checks = new Map(checksIn(definition))
    await readColumns(db, tab, shape)
    await readIndexes(db, tab, shape)
    await readReferences(db, tab, shape)
  }
  return schema
}
