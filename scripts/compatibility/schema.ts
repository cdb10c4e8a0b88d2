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

export type ColumnShape = {
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
