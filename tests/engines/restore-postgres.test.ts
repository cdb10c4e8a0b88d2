import { appendFileSync, chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { makeTree } from '#scripts/test/make-tree.ts'
import { startPostgres } from '#tests/harness/postgres-server.ts'
import { copyWhileRunning, writeAs } from '#tests/harness/servers/standby.ts'

/** Writes the same value into two rows in one transaction, as a payment and its visit are written. */
async function writePair(database: Database, value: string): Promise<void> {
  await database.transaction(async (db) => {
    for (const key of ['left', 'right']) {
      await db
        .insertInto('geo_meta')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
    }
  })
}

test('a Postgres that is lost comes back from its base backup and its archived log', async () => {
  using tree = makeTree({})
  const [archive, copy] = [join(tree.root, 'archive'), join(tree.root, 'copy')]
  chmodSync(tree.root, 0o755)
  mkdirSync(archive)
  chmodSync(archive, 0o777)
  const server = await startPostgres({
    settings: ['archive_mode=on', `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`],
  })
  const database = openDatabase(`${server.url}/postgres`, { poolSize: 2 })
  let written = 0
  try {
    await migrateToLatest(database)
    const copied = new AbortController()
    const writing = (async () => {
      while (!copied.signal.aborted) {
        written += 1
        await writePair(database, String(written))
        await sleep(1)
      }
    })()
    await copyWhileRunning(server, copy)
    copied.abort()
    await writing
    await writePair(database, 'the last that was archived')
    const { rows } = await sql<{ segment: string }>`
      select pg_walfile_name(pg_switch_wal()) as segment`.execute(database.db)
    const last = join(archive, rows[0]?.segment ?? '')
    for (let tries = 0; tries < 300; tries += 1) {
      if (statSync(last, { throwIfNoEntry: false }) !== undefined) break
      await sleep(100)
    }
  } finally {
    await database.close()
    await server.stop()
  }
  expect(written).toBeGreaterThan(5)
  writeAs(copy, 'recovery.signal', '')
  appendFileSync(join(copy, 'postgresql.auto.conf'), `restore_command = 'cp ${archive}/%f %p'\n`)
  const restored = await startPostgres({ settings: ['archive_mode=off'], from: copy })
  const again = openDatabase(`${restored.url}/postgres`, { poolSize: 1 })
  try {
    const pair = await again.db
      .selectFrom('geo_meta')
      .select('value')
      .where('key', 'in', ['left', 'right'])
      .execute()
    expect(pair.map(({ value }) => value)).toEqual(Array(2).fill('the last that was archived'))
    expect(await migrateToLatest(again)).toEqual([])
  } finally {
    await again.close()
    await restored.stop()
  }
})
