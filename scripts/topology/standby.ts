import { sql } from 'kysely'
import { isDatabaseOut } from '#db/failures.ts'
import { until } from '#tests/harness/servers/server-process.ts'
import type { PostgresNode } from './postgres.ts'

/** A standby may cancel whatever stands in the way of what it replays, and be asked once more. */
const TRIES = 10

/** Holds back what a standby replays, or lets it catch up. */
export async function pauseReplay(standby: PostgresNode, isPaused: boolean): Promise<void> {
  const change = isPaused ? sql`select pg_wal_replay_pause()` : sql`select pg_wal_replay_resume()`
  for (let left = TRIES; ; left -= 1) {
    try {
      await standby.ask(({ db }) => change.execute(db))
      return
    } catch (error) {
      if (!isDatabaseOut(error) || left === 1) throw error
    }
  }
}

/** From now on nothing is done before the standby has it on its disk as well. */
export async function makeSynchronous(primary: PostgresNode, standby: PostgresNode): Promise<void> {
  const { name } = standby.place
  await primary.ask(async ({ db }) => {
    await sql`alter system set synchronous_standby_names = ${sql.lit(`"${name}"`)}`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
    const waiting = sql`select 1 from pg_stat_replication
      where application_name = ${name} and sync_state = 'sync'`
    await until(async () => (await waiting.execute(db)).rows.length > 0)
  })
}

/** Makes a standby a server of its own. Resolves when it takes writes. */
export async function promote(standby: PostgresNode): Promise<void> {
  await standby.ask(({ db }) => sql`select pg_promote()`.execute(db))
}
