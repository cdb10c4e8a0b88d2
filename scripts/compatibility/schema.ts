/** A table as whoever reads and writes it meets it. Texts are the engine's own. */
export type TableShape = {
  columns: Map<string, ColumnShape>
  /** Keys that admit a row once, the primary one too: `a, b` or `a, b where …`. */
  uniques: Map<string, KeyShape>
  /** All indexes by name. */
  indexes: Map<string, KeyShape>
  /** Checks and exclusions by name, where they have one. */
  checks: Map<string, string>
  /** What rows point at, by the columns that do. */
  references: Map<string, string>
  triggers: Map<string, string>
}

export type ColumnShape = {
  type: string
  isNullable: boolean
  /** The database has a value where a row brings none. */
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
