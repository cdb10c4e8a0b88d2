import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '#db/engine.ts'
import { type PostgresServer, startPostgres } from '#tests/harness/postgres-server.ts'

/** Writes a file of the server, owned by the server's user. */
export function writeAs(folder: string, name: string, text: string): void {
  const { uid, gid } = statSync(folder)
  writeFileSync(join(folder, name), text)
  chownSync(join(folder, name), uid, gid)
}

/**
 * A manual base backup with the steps that docs/operating.md leaves to pg_basebackup: copies the data folder
 * of a running server without its WAL, which comes from an archive or the server itself.
 */
export async function copyWhileRunning(
  { url, data }: Pick<PostgresServer, 'url' | 'data'>,
  copy: string,
): Promise<void> {
  const database = openDatabase(`${url}/postgres`, { poolSize: 1 })
  try {
    await sql`select pg_backup_start('drill', true)`.execute(database.db)
    execFileSync('cp', ['-a', data, copy])
    const { rows } = await sql<{
      labelfile: string
    }>`select labelfile from pg_backup_stop(true)`.execute(database.db)
    execFileSync('rm', ['-rf', join(copy, 'pg_wal'), join(copy, 'postmaster.pid')])
    const { uid, gid } = statSync(copy)
    mkdirSync(join(copy, 'pg_wal'), { mode: 0o700 })
    chownSync(join(copy, 'pg_wal'), uid, gid)
    writeAs(copy, 'backup_label', rows[0]?.labelfile ?? '')
  } finally {
    await database.close()
  }
}

/** Settings of a primary that standbys may follow. */
export const PRIMARY_SETTINGS = ['fsync=off', 'max_wal_senders=4', 'wal_keep_size=1GB']

/** Starts a standby of a server that was started with `FOLLOWED`; its data folder will be `copy`. */
export async function startStandby(primary: PostgresServer, copy: string): Promise<PostgresServer> {
  await copyWhileRunning(primary, copy)
  const { hostname, port, username, password } = new URL(primary.url)
  const source = `host=${hostname} port=${port} user=${username} password=${password}`
  writeAs(copy, 'standby.signal', '')
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  return restartStandby(copy)
}

/** Starts an existing standby again, on its old port when one is given. */
export function restartStandby(from: string, port?: number): Promise<PostgresServer> {
  const settings = ['fsync=off', 'max_standby_streaming_delay=0']
  return startPostgres({ settings, from, isStandby: true, ...(port === undefined ? {} : { port }) })
}
