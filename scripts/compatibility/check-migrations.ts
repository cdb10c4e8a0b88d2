import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database, Db } from '#db/engine.ts'
import type { Step } from '#migrations/step.ts'
import {
  breaksOf,
  emptyShape,
  type KeyShape,
  keyText,
  type Schema,
  type TableShape,
} from './breaks.ts'

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
  throw new Error('A definition has an unclosed bracket.')
}

const CHECK = /(?:\bconstraint\s+"?(\w+)"?\s+)?\bcheck\s*(?=\()/gi

/** SQLite shows the checks of a table only in its definition. */
function checksIn(definition: string): [name: string, text: string][] {
  return [...definition.matchAll(CHECK)].map((found) => {
    const text = bracketed(definition, found.index + found[0].length)
    return [found[1] ?? text, text]
  })
}

async function readSqliteColumns(db: Db, tab: string, shape: TableShape): Promise<void> {
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

async function readSqliteIndexes(db: Db, tab: string, shape: TableShape): Promise<void> {
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

async function readSqliteReferences(db: Db, tab: string, shape: TableShape): Promise<void> {
  const { rows } = await sql<{ id: number; from: string; text: string }>`
    select id, "from", "table" || '(' || coalesce("to", '') || ') ' || on_delete as text
    from pragma_foreign_key_list(${tab}) order by id, seq`.execute(db)
  for (const parts of Map.groupBy(rows, ({ id }) => id).values()) {
    const columns = parts.map((part) => part.from)
    shape.references.set(columns.join(', '), parts.map(({ text }) => text).join(', '))
  }
}

/** The schema of an SQLite database, read from its pragmas and definitions. */
async function readSqlite(db: Db): Promise<Schema> {
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
    await readSqliteColumns(db, tab, shape)
    await readSqliteIndexes(db, tab, shape)
    await readSqliteReferences(db, tab, shape)
  }
  return schema
}

type Of<Row> = Row & { tab: string }

const OURS = sql`relnamespace = current_schema()::regnamespace`

async function readPostgresColumns(db: Db, schema: Schema): Promise<void> {
  const { rows } = await sql<
    Of<{ name: string; type: string; nullable: boolean; filled: boolean }>
  >`select c.relname as tab, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as nullable, a.atthasdef or a.attidentity <> '' as filled
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.${OURS} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`.execute(db)
  for (const { tab, name, type, nullable, filled } of rows) {
    const shape = schema.get(tab) ?? emptyShape()
    shape.columns.set(name, { type, isNullable: nullable, hasDefault: filled })
    schema.set(tab, shape)
  }
}

async function readPostgresIndexes(db: Db, shapeOf: (tab: string) => TableShape): Promise<void> {
  const { rows } = await sql<
    Of<{ name: string; single: boolean; columns: string[]; condition: string | null }>
  >`select t.relname as tab, c.relname as name, i.indisunique as single,
      pg_get_expr(i.indpred, i.indrelid) as condition,
      array(select pg_get_indexdef(i.indexrelid, n, true)
        from generate_series(1, i.indnkeyatts) n order by n) as columns
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.${OURS}`.execute(db)
  for (const { tab, name, single, columns, condition } of rows) {
    const key: KeyShape = { columns, where: condition ?? '' }
    shapeOf(tab).indexes.set(name, key)
    if (single) shapeOf(tab).uniques.set(keyText(key), key)
  }
}

async function readPostgresConstraints(
  db: Db,
  shapeOf: (tab: string) => TableShape,
): Promise<void> {
  const { rows } = await sql<Of<{ name: string; kind: string; text: string; columns: string[] }>>`
    select t.relname as tab, c.conname as name, c.contype as kind,
      pg_get_constraintdef(c.oid) as text,
      array(select a.attname::text from unnest(c.conkey) with ordinality k (no, at)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.no order by k.at) as columns
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where t.${OURS} and c.contype in ('c', 'x', 'f')`.execute(db)
  for (const { tab, name, kind, text, columns } of rows) {
    if (kind === 'f') shapeOf(tab).references.set(columns.join(', '), text)
    else shapeOf(tab).checks.set(name, text)
  }
}

async function readPostgresTriggers(db: Db, shapeOf: (tab: string) => TableShape): Promise<void> {
  const { rows } = await sql<Of<{ name: string; text: string }>>`
    select c.relname as tab, t.tgname as name, pg_get_triggerdef(t.oid) || p.prosrc as text
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where c.${OURS} and not t.tgisinternal`.execute(db)
  for (const { tab, name, text } of rows) shapeOf(tab).triggers.set(name, text)
}

/** The schema of a Postgres database, read from its catalogue. */
async function readPostgres(db: Db): Promise<Schema> {
  const schema: Schema = new Map()
  await readPostgresColumns(db, schema)
  const shapeOf = (tab: string) => schema.get(tab) ?? emptyShape()
  await readPostgresIndexes(db, shapeOf)
  await readPostgresConstraints(db, shapeOf)
  await readPostgresTriggers(db, shapeOf)
  return schema
}

/** Removals, of things that the previous version may have stopped using a release ago. */
const CONTRACTION = /^(?:drops|changes|requires|forbids) /

type Released = { steps: Record<string, Step>; released: string }

function readSchema({ db, engine }: Database): Promise<Schema> {
  return engine === 'sqlite' ? readSqlite(db) : readPostgres(db)
}

/** Why a `contracts` mark is wrong; null when it is right, or absent. */
function wrongMark({ contracts }: Step, { steps, released }: Released): string | null {
  if (contracts === undefined) return null
  const named = Object.keys(steps).find((name) => name.startsWith(`${contracts}-`))
  if (named === undefined) return `contracts ${contracts}, which is no migration`
  return named > released ? `contracts ${contracts}, which is not released yet` : null
}

function isAccepted({ accepts = {}, contracts }: Step, what: string): boolean {
  if (contracts !== undefined && CONTRACTION.test(what)) return true
  return (accepts[what] ?? '').trim() !== ''
}

/**
 * Runs the migrations on an empty database and returns what in later ones may break the version that ends at
 * `released`, beyond what they accept or contract: `0015-name: drops column t.c`. What is added and removed
 * after the release affects no released version.
 */
export async function checkMigrations(database: Database, of: Released): Promise<string[]> {
  const { steps, released } = of
  const provider = { getMigrations: () => Promise.resolve(steps) }
  const migrator = new Migrator({ db: database.db, provider })
  const moveTo = async (name: string) => {
    const { error } = await migrator.migrateTo(name)
    if (error !== undefined) throw new Error(`${name} failed`, { cause: error })
  }
  await moveTo(released)
  const before = await readSchema(database)
  const known = new Set<string>()
  const findings: string[] = []
  for (const [name, step] of Object.entries(steps)) {
    if (name <= released) continue
    await moveTo(name)
    const mark = wrongMark(step, of)
    if (mark !== null) findings.push(`${name}: ${mark}`)
    const after = await readSchema(database)
    const breaks = breaksOf({ before, after, engine: database.engine })
    for (const what of breaks) {
      if (known.has(what)) continue
      known.add(what)
      if (!isAccepted(step, what)) findings.push(`${name}: ${what}`)
    }
  }
  return findings
}
