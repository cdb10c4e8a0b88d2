/** A table as its readers and writers see it. Texts are in the engine's own form. */
export type TableShape = {
  columns: Map<string, ColumnShape>
  /** Unique keys, the primary key included: `a, b` or `a, b where …`. */
  uniques: Map<string, KeyShape>
  /** All indexes by name. */
  indexes: Map<string, KeyShape>
  /** Checks and exclusions by name, where they have one. */
  checks: Map<string, string>
  /** Foreign key targets, by the columns that refer to them. */
  references: Map<string, string>
  triggers: Map<string, string>
}

type ColumnShape = {
  type: string
  isNullable: boolean
  /** The database fills in a value where a row has none. */
  hasDefault: boolean
}

export type KeyShape = { columns: string[]; where: string }

export type Schema = Map<string, TableShape>

/** An empty table. */
export function emptyShape(): TableShape {
  return {
    columns: new Map(),
    uniques: new Map(),
    indexes: new Map(),
    checks: new Map(),
    references: new Map(),
    triggers: new Map(),
  }
}

/** A key as it is named in findings. */
export function keyText({ columns, where }: KeyShape): string {
  const list = columns.join(', ')
  return where === '' ? list : `${list} where ${where}`
}

/** Types that can hold every value of the other type. */
const WIDER: Record<string, readonly string[]> = {
  smallint: ['integer', 'bigint'],
  integer: ['bigint'],
  real: ['double precision'],
  varchar: ['text'],
}

function holdsAll(before: string, after: string): boolean {
  if (before === after) return true
  const bare = /^(?:character varying|varchar)/.test(before) ? 'varchar' : before
  return WIDER[bare]?.includes(after) ?? false
}

function* columnBreaks(name: string, before: ColumnShape, after: ColumnShape): Iterable<string> {
  if (!holdsAll(before.type, after.type)) {
    yield `changes ${name} from ${before.type} to ${after.type}`
  }
  if (before.isNullable && !after.isNullable) yield `forbids null in ${name}`
  if (!before.isNullable && after.isNullable) yield `allows null in ${name}`
  if (before.hasDefault && !after.hasDefault && !after.isNullable) {
    yield `drops the default of ${name}`
  }
}

function* columnsBreaks(tab: string, before: TableShape, after: TableShape): Iterable<string> {
  for (const [column, shape] of before.columns) {
    const next = after.columns.get(column)
    if (next === undefined) yield `drops column ${tab}.${column}`
    else yield* columnBreaks(`${tab}.${column}`, shape, next)
  }
  for (const [column, { isNullable, hasDefault }] of after.columns) {
    if (before.columns.has(column) || isNullable || hasDefault) continue
    yield `requires column ${tab}.${column}`
  }
}

/** The previous version leaves such a column null, and nulls are all distinct. */
function isLeftNull(column: string, before: TableShape, after: TableShape): boolean {
  const shape = after.columns.get(column)
  if (before.columns.has(column) || shape === undefined) return false
  return shape.isNullable && !shape.hasDefault
}

/** Whether reads that used one index can use another. */
function serves(index: KeyShape, old: KeyShape): boolean {
  return index.where === old.where && old.columns.every((name, at) => index.columns[at] === name)
}

function* keyBreaks(tab: string, before: TableShape, after: TableShape): Iterable<string> {
  for (const [text, key] of after.uniques) {
    if (before.uniques.has(text)) continue
    if (key.columns.some((column) => isLeftNull(column, before, after))) continue
    yield `unique ${tab}(${text})`
  }
  // Also what `on conflict` of the previous version names: without it the statement fails.
  for (const text of before.uniques.keys()) {
    if (!after.uniques.has(text)) yield `drops unique ${tab}(${text})`
  }
  for (const [name, key] of before.indexes) {
    if (before.uniques.has(keyText(key))) continue
    const isServed = [...after.indexes.values()].some((index) => serves(index, key))
    if (!isServed) yield `drops index ${name}`
  }
}

function* textBreaks(
  kind: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Iterable<string> {
  for (const [name, text] of after) if (before.get(name) !== text) yield `${kind} ${name}`
}

function* referenceBreaks(tab: string, before: TableShape, after: TableShape): Iterable<string> {
  for (const [columns, target] of after.references) {
    if (before.references.get(columns) === target) continue
    if (columns.split(', ').some((column) => isLeftNull(column, before, after))) continue
    yield `reference ${tab}(${columns})`
  }
}

/** Indexes built inside the migration, which on Postgres block all writes meanwhile. */
function* lockBreaks(tab: string, before: TableShape, after: TableShape): Iterable<string> {
  for (const [name, key] of after.indexes) {
    if (before.indexes.has(name) || after.uniques.has(keyText(key))) continue
    yield `locks ${tab} for index ${name}`
  }
}

function* tableBreaks(tab: string, before: TableShape, after: TableShape): Iterable<string> {
  yield* columnsBreaks(tab, before, after)
  yield* keyBreaks(tab, before, after)
  yield* textBreaks(`check ${tab}:`, before.checks, after.checks)
  yield* textBreaks(`trigger ${tab}:`, before.triggers, after.triggers)
  yield* referenceBreaks(tab, before, after)
}

type Compared = { before: Schema; after: Schema; engine: 'sqlite' | 'postgres' }

/**
 * What may break in a version that knows only `before` when it runs on `after`, each in a few words. New
 * tables, new columns that need no value and removed constraints break nothing.
 */
export function breaksOf({ before, after, engine }: Compared): string[] {
  const found: string[] = []
  for (const [tab, shape] of before) {
    const next = after.get(tab)
    if (next === undefined) {
      found.push(`drops table ${tab}`)
      continue
    }
    found.push(...tableBreaks(tab, shape, next))
    if (engine === 'postgres') found.push(...lockBreaks(tab, shape, next))
  }
  return found
}
