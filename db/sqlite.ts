import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { BusyError, isBusy } from './failures.ts'

const STATEMENT_CACHE_SIZE = 400

/** The maximum SQLite is compiled for; anything beyond is read through the page cache, which copies pages. */
const MAPPED_BYTES = 2_147_418_112

/** The page cache only holds pages being written, and those not in the file yet; mapped pages need none. */
const CACHE_KB = 4_000

/** The main thread waits this long inside SQLite; longer waits yield to the event loop. */
const BUSY_TIMEOUT_MS = 20
const MAX_BUSY_MS = 5_000

/** WAL-reset corruption was fixed in 3.51.3; older libraries must not share a file. */
const MIN_SQLITE_VERSION = [3, 51, 3]

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, wanted] of MIN_SQLITE_VERSION.entries()) {
    const part = parts[index] ?? 0
    if (part !== wanted) return part < wanted
  }
  return false
}

/** Kysely's driver prepares on every call, so statements are cached by text, evicting the least recently used. */
class CachingDatabase {
  readonly #raw: Sqlite.Database
  readonly #statements = new LRUCache<string, SqliteStatement>({ max: STATEMENT_CACHE_SIZE })

  constructor(raw: Sqlite.Database) {
    this.#raw = raw
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#raw.prepare(sql)
    // A schema change invalidates prepared column lists: start over.
    if (/^\s*(?:create|alter|drop)\b/i.test(sql)) this.#statements.clear()
    else this.#statements.set(sql, statement)
    return statement
  }

  /** Whether a transaction is open: after some disk failures SQLite itself has rolled it back. */
  get inTransaction(): boolean {
    return this.#raw.inTransaction
  }

  close(): void {
    this.#statements.clear()
    this.#raw.close()
  }
}

/** A deferred transaction that reads and then writes fails at once, so all are IMMEDIATE. */
class ImmediateDriver extends SqliteDriver {
  readonly #database: CachingDatabase

  constructor(database: CachingDatabase) {
    super({ database })
    this.#database = database
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A second rollback would fail, and its error would hide the original one.
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const giveUpAt = performance.now() + MAX_BUSY_MS
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'))
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() > giveUpAt) throw new BusyError(error)
        await sleep(2 + Math.random() * 20)
      }
    }
  }
}

/**
 * Declares that SQLite's DDL is transactional, which Kysely denies: otherwise a process killed while
 * migrating could never start again.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #database: CachingDatabase

  constructor(database: CachingDatabase) {
    super({ database })
    this.#database = database
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#database)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/**
 * SQLite on a file, in `:memory:`, or on the bytes of a file, which are kept in memory from then on.
 * WAL with `synchronous=FULL`: the default NORMAL can lose a confirmed booking when the power goes.
 */
export function sqliteDialect(source: string | Buffer): SqliteDialect {
  const raw = new Sqlite(source, { timeout: BUSY_TIMEOUT_MS })
  const version = String(raw.prepare('select sqlite_version()').pluck().get())
  if (isOlder(version)) {
    raw.close()
    throw new Error(
      `SQLite ${version} is too old: at least ${MIN_SQLITE_VERSION.join('.')} is needed.`,
    )
  }
  raw.pragma('journal_mode = WAL')
  raw.pragma('synchronous = FULL')
  raw.pragma('foreign_keys = ON')
  raw.pragma('temp_store = MEMORY')
  raw.pragma(`cache_size = -${CACHE_KB}`)
  raw.pragma(`mmap_size = ${MAPPED_BYTES}`)
  return new ImmediateDialect(new CachingDatabase(raw))
}

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
