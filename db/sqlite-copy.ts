import Sqlite from 'better-sqlite3'

/**
 * Copies a database, which may be in use, as of one moment with SQLite's online backup. All pages go in one
 * step: in WAL mode nobody waits for it, and no write makes it restart.
 */
export async function copySqlite(file: string, to: string): Promise<void> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    await source.backup(to, { progress: () => Number.MAX_SAFE_INTEGER })
  } finally {
    source.close()
  }
}

/** Faults SQLite finds in a file: in pages, indexes, and foreign keys. */
export function findCorruption(file: string): string[] {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    const pages = database.pragma('integrity_check', { simple: true })
    const dangling = database.prepare('select "table" as name from pragma_foreign_key_check').all()
    const faults =
      dangling.length > 0 ? [`${dangling.length} rows refer to rows that are gone`] : []
    return pages === 'ok' ? faults : [String(pages), ...faults]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    database.close()
  }
}
