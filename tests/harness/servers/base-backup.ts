import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '#db/engine.ts'
import type { PostgresServer } from '#tests/harness/postgres-server.ts'

/** A file of the server's own, as it would write it. */
export function writeAs(folder: string, name: string, text: string): void {
  const { uid, gid } = statSync(folder)
  writeFileSync(join(folder, name), text)
  chownSync(join(folder, name), uid, gid)
}

/**
 * A base backup by hand, step for step what docs/operating.md leaves to pg_basebackup: the data
 * folder is copied while the server writes, without its log, which an archive or the server itself has.
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
