/** SQLite takes 32,766 values in a statement, Postgres twice that. */
const VALUES_A_STATEMENT = 30_000

/** Cuts rows into pieces that fit one INSERT of `columns` columns. */
export function* inStatements<T>(rows: readonly T[], columns: number): Iterable<T[]> {
  // A thousand rows at once gain nothing more and make each statement long to compile.
  const size = Math.min(1000, Math.floor(VALUES_A_STATEMENT / columns))
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}
