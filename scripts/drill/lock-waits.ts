import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PostgresNode } from '#scripts/topology/postgres.ts'

const LOOK_MS = 25

/** Locks that requests take; a migration wants stronger ones, and an index waits for old transactions. */
const OLDEST = sql<{ ms: number | null }>`
  select max(extract(epoch from clock_timestamp() - waitstart) * 1000)::int8 as ms
  from pg_locks
  where not granted and (locktype in ('transactionid', 'tuple')
    or mode in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock'))`

/** Looks for as long as `work` takes. The longest a request waited for a lock, milliseconds. */
export async function longestLockWait(
  primary: PostgresNode,
  work: () => Promise<void>,
): Promise<number> {
  const over = new AbortController()
  let longest = 0
  const watch = primary.ask(async ({ db }) => {
    while (!over.signal.aborted) {
      const { rows } = await OLDEST.execute(db)
      longest = Math.max(longest, rows[0]?.ms ?? 0)
      await sleep(LOOK_MS)
    }
  })
  await Promise.all([watch, work().finally(() => over.abort())])
  return longest
}

/** As somebody's report does: reads a table in a transaction that goes on for so long. */
export async function report(primary: PostgresNode, ms: number): Promise<void> {
  await primary.ask((database) =>
    database.transaction(async (db) => {
      await db.selectFrom('bookings').select('no').limit(1).execute()
      await sleep(ms)
    }),
  )
}
