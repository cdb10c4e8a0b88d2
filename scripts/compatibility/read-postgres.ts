import { sql } from 'kysely'
import type { Db } from '#db/engine.ts'
import { emptyShape, type KeyShape, keyText, type Schema, type TableShape } from './schema.ts'

type Of<Row> = Row & { tab: string }

const OURS = sql`relnamespace = current_schema()::regnamespace`

async function readColumns(db: Db, schema: Schema): Promise<void> {
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

async function readIndexes(db: Db, shapeOf: (tab: string) => TableShape): Promise<void> {
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

async function readConstraints(db: Db, shapeOf: (tab: string) => TableShape): Promise<void> {
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

async function readTriggers(db: Db, shapeOf: (tab: string) => TableShape): Promise<void> {
  const { rows } = await sql<Of<{ name: string; text: string }>>`
    select c.relname as tab, t.tgname as name, pg_get_triggerdef(t.oid) || p.prosrc as text
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where c.${OURS} and not t.tgisinternal`.execute(db)
  for (const { tab, name, text } of rows) shapeOf(tab).triggers.set(name, text)
}

/** The schema of a Postgres database, read from its catalogue. */
export async function readPostgres(db: Db): Promise<Schema> {
  const schema: Schema = new Map()
  await readColumns(db, schema)
  const shapeOf = (tab: string) => schema.get(tab) ?? emptyShape()
  await readIndexes(db, shapeOf)
  await readConstraints(db, shapeOf)
  await readTriggers(db, shapeOf)
  return schema
}
