import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase } from './engine.ts'
import { BusyError, isBusy } from './failures.ts'

/** Arbitrary, but the same in every process: the key of the advisory lock for starting. */
const POSTGRES_KEY = 4_117_150_417

/** Pause between attempts to take the lock. */
const RETRY_MS = 100

/**
 * Takes the lock for this transaction, or throws `BusyError`. `create index concurrently`, which the lock's
 * holder may run, waits for everybody who holds a snapshot. So nobody waits inside a statement, and the key
 * is not a parameter: with one Postgres would keep the statement open until the next one.
 */
async function lockOnPostgres(db: Db): Promise<void> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(POSTGRES_KEY)}) as taken`.execute(db)
  if (rows[0]?.taken !== true) throw new BusyError('another process is starting')
}

function lockUrl(url: string): string | null {
  if (!url.startsWith('sqlite:')) return url
  // Otherwise the lock would be a file named `.start` in the working directory.
  if (url === 'sqlite:') throw new Error('DATABASE_URL must name a file after sqlite:')
  // A database in memory belongs to this process alone.
  return url === 'sqlite::memory:' ? null : `${url}.start`
}

async function tryOnce<T>(url: string, work: () => Promise<T>): Promise<T> {
  const lock = openDatabase(url, { poolSize: 1 })
  try {
    return await lock.transaction(async (db) => {
      // On SQLite the write transaction itself is the lock.
      if (lock.engine === 'postgres') await lockOnPostgres(db)
      return work()
    })
  } finally {
    await lock.close()
  }
}

/**
 * Runs `work` under a lock on the database, so that two starting processes never migrate or seed at once. The
 * lock ends with the process that holds it, however it ends.
 */
export async function withStartLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const lock = lockUrl(url)
  if (lock === null) return work()
  for (;;) {
    let hasStarted = false
    try {
      return await tryOnce(lock, () => {
        hasStarted = true
        return work()
      })
    } catch (error) {
      // The other process takes longer than the lock timeout of a request: keep waiting.
      if (hasStarted || !isBusy(error)) throw error
      await sleep(RETRY_MS)
    }
  }
}
