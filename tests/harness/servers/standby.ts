import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '#tests/harness/postgres-server.ts'
import { copyWhileRunning, writeAs } from './base-backup.ts'

/** Settings of a primary that standbys may follow. */
export const FOLLOWED = ['fsync=off', 'max_wal_senders=4', 'wal_keep_size=1GB']

/** Starts a standby of a server that was started with `FOLLOWED`; its data folder will be `copy`. */
export async function startStandby(primary: PostgresServer, copy: string): Promise<PostgresServer> {
  await copyWhileRunning(primary, copy)
  const { hostname, port, username, password } = new URL(primary.url)
  const source = `host=${hostname} port=${port} user=${username} password=${password}`
  writeAs(copy, 'standby.signal', '')
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  return startAgain(copy)
}

/** Starts a standby that was there before, on its old port when one is given. */
export function startAgain(from: string, port?: number): Promise<PostgresServer> {
  const settings = ['fsync=off', 'max_standby_streaming_delay=0']
  return startPostgres({ settings, from, isStandby: true, ...(port === undefined ? {} : { port }) })
}
