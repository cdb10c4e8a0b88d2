import { Socket } from 'node:net'
import { type DialectAdapter, PostgresAdapter, PostgresDialect } from 'kysely'
import pg from 'pg'
import { isStalePlan, PoolerError, SilentError } from './failures.ts'
import { nameOf } from './run-sql.ts'

const INT8 = 20
const MAX_EXACT = Number.MAX_SAFE_INTEGER

/** Counts and instants fit a double exactly; anything larger is a defect, not a rounding. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (Math.abs(value) > MAX_EXACT) throw new Error(`int8 out of safe range: ${text}`)
  return value
}

const CONNECT_MS = 5_000

const IDLE_MS = 15_000

/** Idle connections are closed before the socket's inactivity timeout, after this fraction of it. */
const IDLE_SHARE = 0.75

/**
 * A socket with an inactivity timeout: a network that drops packets reports nothing for a quarter of an hour,
 * and later queries would wait behind the lost one.
 */
function socketWithTimeout(withinMs: number): Socket {
  const socket = new Socket()
  return socket.setTimeout(withinMs, () => socket.destroy(new SilentError()))
}

export type PostgresOptions = {
  /** Connections of this process. */
  poolSize: number
  /** Milliseconds a statement may take, including the wait for a lock; unlimited when left out. */
  answerWithinMs?: number | undefined
  /** Milliseconds to get a connection, including the wait for a free one. */
  connectWithinMs?: number | undefined
  /**
   * Whether connections lead to Postgres itself, so that prepared statements may be used. Checked for each
   * new one.
   */
  isDirect?: boolean | undefined
}

/**
 * Refuses a connection that a pooler shares. A pooler's greeting has an invented process id, while statements
 * run in whichever Postgres process it has borrowed.
 */
async function refusePooler(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if ('processID' in client && client.processID === rows[0]?.pid) return
  throw new PoolerError()
}

/**
 * Lets a connection prepare the named reads, so that each is parsed and planned once. After a migration has
 * changed a type among their columns it no longer prepares any.
 */
function prepareReads(client: pg.ClientBase): void {
  const send = client.query.bind(client)
  let isPreparing = true

  async function sendNamed(name: string, text: string, values: unknown[]) {
    try {
      return await send({ name, text, values })
    } catch (error) {
      if (!isStalePlan(error)) throw error
      isPreparing = false
      return send(text, values)
    }
  }

  Object.assign(client, {
    query: (text: string, values: unknown[]) => {
      const name = isPreparing ? nameOf(text) : undefined
      return name === undefined ? send(text, values) : sendNamed(name, text, values)
    },
  })
}

/**
 * Disables Kysely's migration lock, which belongs to a session: behind PgBouncer it is taken on one
 * connection to Postgres and released on another, which does nothing, and every later start would wait for
 * it. `withStartLock` lets one process migrate at a time, by a lock that ends with its transaction.
 */
class SessionlessAdapter extends PostgresAdapter {
  override acquireMigrationLock(): Promise<void> {
    return Promise.resolve()
  }

  override releaseMigrationLock(): Promise<void> {
    return Promise.resolve()
  }
}

class SessionlessDialect extends PostgresDialect {
  override createAdapter(): DialectAdapter {
    return new SessionlessAdapter()
  }
}

/** The Postgres dialect for a URL, with a connection pool and numeric types parsed as numbers. */
export function postgresDialect(url: string, options: PostgresOptions): PostgresDialect {
  const { poolSize, answerWithinMs, connectWithinMs = CONNECT_MS, isDirect = false } = options
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, parseInt8)
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: Math.min(IDLE_MS, IDLE_SHARE * (answerWithinMs ?? Number.POSITIVE_INFINITY)),
    application_name: 'apposite',
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it
    ...(isDirect ? { onConnect: refusePooler } : {}),
    ...(answerWithinMs === undefined ? {} : { stream: () => socketWithTimeout(answerWithinMs) }),
  })
  // A dropped idle connection is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => undefined)
  // The pool does not listen while a client is checked out: then only its statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  if (isDirect) pool.on('connect', prepareReads)
  return new SessionlessDialect({ pool })
}
