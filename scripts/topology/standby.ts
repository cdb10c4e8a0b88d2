import { sql } from 'kysely'
import { isDatabaseDown } from '#db/failures.ts'
import { waitUntil } from '#tests/harness/servers/server-process.ts'
import type { PostgresNode } from './postgres.ts'

/** How often a query is tried: a standby may cancel those that block its replay. */
const MAX_ATTEMPTS = 10

/** Pauses a standby's replay, or resumes it. */
export async function pauseReplay(standby: PostgresNode, isPaused: boolean): Promise<void> {
  const change = isPaused ? sql`select pg_wal_replay_pause()` : sql`select pg_wal_replay_resume()`
  for (let left = MAX_ATTEMPTS; ; left -= 1) {
    try {
      await standby.ask(({ db }) => change.execute(db))
      return
    } catch (error) {
      if (!isDatabaseDown(error) || left === 1) throw error
    }
  }
}

/** Makes commits wait until the standby has them on its disk as well. */
export async function makeSynchronous(primary: PostgresNode, standby: PostgresNode): Promise<void> {
  const { name } = standby.place
  await primary.ask(async ({ db }) => {
    await sql`alter system set synchronous_standby_names = ${sql.lit(`"${name}"`)}`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
    const waiting = sql`select 1 from pg_stat_replication
      where application_name = ${name} and sync_state = 'sync'`
    await waitUntil(async () => (await waiting.execute(db)).rows.length > 0)
  })
}

/** Promotes a standby. Resolves when it accepts writes. */
export async function promote(standby: PostgresNode): Promise<void> {
  await standby.ask(({ db }) => sql`select pg_promote()`.execute(db))
}
