import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Dialect,
  Kysely,
  type KyselyPlugin,
  type LogEvent,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely'
import { LeakedHandleError } from './failures.ts'
import { type PostgresOptions, postgresDialect } from './postgres.ts'
import { makeReplica, type Replica } from './replica.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** What stores take first: the root handle or the handle of a running transaction. */
export type Db = Kysely<Tables>

export type Database = {
  readonly engine: 'sqlite' | 'postgres'
  readonly db: Db
  /** Where reads may go that may be a little old; null without one. */
  readonly replica: Replica | null
  /** Runs `work` in one write transaction; its handle is the only one to be used inside. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

type OpenOptions = Partial<PostgresOptions> & {
  /** Hears of each statement when it has ended; without it none is timed. */
  onQuery?: (ended: { text: string; durationMs: number; isFailed: boolean }) => void
  /** The bytes of an SQLite file that `sqlite::memory:` begins with. */
  image?: Buffer
  /** `postgres://…` of a standby of this database. */
  readUrl?: string | null
  /** Monotonic milliseconds, by which the age of what the standby has is counted. */
  clock?: () => number
}

/** Milliseconds. Whoever waits for a replica in vain is answered by the primary: that should be soon. */
const REPLICA_PATIENCE = { answerWithinMs: 3_000, connectWithinMs: 2_000 }

/** Set while the work of a transaction runs; the value says of which database. */
const insideTransaction = new AsyncLocalStorage<object>()

/**
 * Refuses queries through the root handle inside a transaction. On SQLite the caller would wait
 * for itself for ever, on Postgres it would read around its own writes: both are defects. It has
 * to act before Kysely queues for SQLite's one connection, hence a plugin and not a driver.
 */
class LeakGuard implements KyselyPlugin {
  readonly #owner: object

  constructor(owner: object) {
    this.#owner = owner
  }

  check(): void {
    if (insideTransaction.getStore() === this.#owner) throw new LeakedHandleError()
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    this.check()
    return node
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result)
  }
}

type Chosen = Pick<Database, 'engine'> & { dialect: Dialect }

function chooseDialect(url: string, options: OpenOptions): Chosen {
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const { poolSize = 10, ...patience } = options
    const dialect = postgresDialect(url, { poolSize, ...patience })
    return { engine: 'postgres', dialect }
  }
  if (!url.startsWith('sqlite:')) {
    throw new Error('DATABASE_URL must start with postgres:// or sqlite:')
  }
  const path = url.slice('sqlite:'.length)
  // Without a name SQLite makes a temporary database, which is gone when the process ends.
  if (path === '') throw new Error('DATABASE_URL must name a file after sqlite:')
  const image = path === ':memory:' ? options.image : undefined
  return { engine: 'sqlite', dialect: sqliteDialect(image ?? path) }
}

function listener({ onQuery }: OpenOptions): { log?: (event: LogEvent) => void } {
  if (onQuery === undefined) return {}
  return {
    log: ({ level, query, queryDurationMillis }) =>
      onQuery({ text: query.sql, durationMs: queryDurationMillis, isFailed: level === 'error' }),
  }
}

/**
 * Opens a database by the scheme of its URL: `postgres://…`, `sqlite:/path/file.db` or
 * `sqlite::memory:`. Migrating it is the caller's next step.
 */
export function openDatabase(url: string, options: OpenOptions = {}): Database {
  const owner = {}
  const guard = new LeakGuard(owner)
  const { engine, dialect } = chooseDialect(url, options)
  const db = new Kysely<Tables>({ dialect, plugins: [guard], ...listener(options) })
  const { readUrl = null, clock = () => performance.now() } = options

  function openReplica(standbyUrl: string): Replica {
    const { dialect: standby } = chooseDialect(standbyUrl, { ...options, ...REPLICA_PATIENCE })
    return makeReplica(
      db,
      new Kysely<Tables>({ dialect: standby, plugins: [guard], ...listener(options) }),
      clock,
    )
  }

  const replica = readUrl === null ? null : openReplica(readUrl)

  async function transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    guard.check()
    return db
      .transaction()
      .execute((trx) => insideTransaction.run(owner, () => work(trx.withoutPlugins())))
  }

  async function close(): Promise<void> {
    await Promise.all([db.destroy(), replica?.db.destroy()])
  }

  return { engine, db, replica, transaction, close }
}
