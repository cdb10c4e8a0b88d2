import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
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
import { isUnreachable, LeakedHandleError } from './failures.ts'
import { type PostgresOptions, postgresDialect } from './postgres.ts'
import { makeReplica, type Replica } from './replica.ts'
import { isPostgres } from './run-sql.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** The first parameter of store functions: the root handle or the handle of a running transaction. */
export type Db = Kysely<Tables>

export type Database = {
  readonly engine: 'sqlite' | 'postgres'
  readonly db: Db
  /** The replica for reads that may be slightly stale; null without one. */
  readonly replica: Replica | null
  /** Runs `work` in one write transaction; its handle is the only one to be used inside. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

type OpenOptions = Partial<PostgresOptions> & {
  /** Called for each statement when it has ended; without it statements are not timed. */
  onQuery?: (ended: { text: string; durationMs: number; isFailed: boolean }) => void
  /** The bytes of an SQLite file to initialise `sqlite::memory:` with. */
  image?: Buffer
  /** `postgres://…` of a standby of this database. */
  readUrl?: string | null
  /** Monotonic milliseconds, to measure the standby's lag. */
  clock?: () => number
}

/** Milliseconds. When a replica does not respond the primary is read instead, so timeouts are short. */
const REPLICA_TIMEOUTS = { answerWithinMs: 3_000, connectWithinMs: 2_000 }

/** Set while the work of a transaction runs; identifies the database. */
const insideTransaction = new AsyncLocalStorage<object>()

/**
 * Refuses queries through the root handle inside a transaction. On SQLite the caller would deadlock with
 * itself, on Postgres it would not see its own writes: both are defects. The check must run before Kysely
 * queues for SQLite's one connection, so it is a plugin and not a driver.
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

type ChosenDialect = Pick<Database, 'engine'> & { dialect: Dialect }

function chooseDialect(url: string, options: OpenOptions): ChosenDialect {
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const { poolSize = 10, ...timeouts } = options
    const dialect = postgresDialect(url, { poolSize, ...timeouts })
    return { engine: 'postgres', dialect }
  }
  if (!url.startsWith('sqlite:')) {
    throw new Error('DATABASE_URL must start with postgres:// or sqlite:')
  }
  const path = url.slice('sqlite:'.length)
  // Without a name SQLite creates a temporary database, deleted when the process ends.
  if (path === '') throw new Error('DATABASE_URL must name a file after sqlite:')
  const image = path === ':memory:' ? options.image : undefined
  return { engine: 'sqlite', dialect: sqliteDialect(image ?? path) }
}

function queryLogger({ onQuery }: OpenOptions): { log?: (event: LogEvent) => void } {
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
  const db = new Kysely<Tables>({ dialect, plugins: [guard], ...queryLogger(options) })
  const { readUrl = null, clock = () => performance.now() } = options

  function openReplica(standbyUrl: string): Replica {
    const { dialect: standby } = chooseDialect(standbyUrl, { ...options, ...REPLICA_TIMEOUTS })
    return makeReplica(
      db,
      new Kysely<Tables>({ dialect: standby, plugins: [guard], ...queryLogger(options) }),
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

/**
 * Locks accounts or providers until the transaction ends, always in the same order. Needed on Postgres only:
 * SQLite has a single writer anyway.
 */
export async function lockRows(
  db: Db,
  table: 'accounts' | 'providers',
  numbers: readonly number[],
): Promise<void> {
  if (!isPostgres(db) || numbers.length === 0) return
  await db
    .selectFrom(table)
    .select('no')
    .where('no', 'in', numbers)
    .orderBy('no')
    .forNoKeyUpdate()
    .execute()
}

/** Locks an account until the transaction ends, as `lockRows` does; false if it is erased. */
export async function lockOpenAccount(db: Db, no: number): Promise<boolean> {
  await lockRows(db, 'accounts', [no])
  const open = await db
    .selectFrom('accounts')
    .select('no')
    .where('no', '=', no)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return open !== undefined
}

const RETRY_MS = 500

type RetryOptions = {
  /** Milliseconds from the first attempt to the last. */
  forMs: number
  /** Called once, with the maximum wait in seconds. */
  say: (seconds: number) => void
}

/**
 * Runs `work`, and retries while the database cannot be reached. Whatever it did before the connection was
 * lost must be safe to repeat. Throws the error of the last attempt, and any other error at once.
 */
export async function retryUntilReachable<T>(
  work: () => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const { forMs, say } = options
  const giveUpAt = performance.now() + forMs
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || performance.now() >= giveUpAt) throw error
      if (!hasSaid) say(Math.round(forMs / 1_000))
      await sleep(RETRY_MS)
    }
  }
}
