import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from './engine.ts'
import { isStorageFailure } from './failures.ts'
import { migrateToLatest } from './migrate.ts'

async function onDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-sqlite-'))
  const url = `sqlite:${join(folder, 'some.db')}`
  const database = openDatabase(url)
  await migrateToLatest(database)
  return {
    database,
    url,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function write(database: Database, key: string, value = ''): Promise<void> {
  return database.transaction(async (db) => {
    await db.insertInto('app_meta').values({ key, value }).execute()
  })
}

async function keys({ db }: Database): Promise<string[]> {
  const rows = await db.selectFrom('app_meta').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key)
}

const names = Array.from({ length: 20 }, (_, n) => `k${String(n).padStart(2, '0')}`)

test('concurrent transactions run one after the other, each on what the last one wrote', async () => {
  await using disk = await onDisk()
  const { database } = disk
  await write(database, 'count', '0')
  const seen = await Promise.all(
    names.map(() =>
      database.transaction(async (db) => {
        const { value } = await db
          .selectFrom('app_meta')
          .select('value')
          .where('key', '=', 'count')
          .executeTakeFirstOrThrow()
        await sleep(1)
        await db
          .updateTable('app_meta')
          .set({ value: String(Number(value) + 1) })
          .where('key', '=', 'count')
          .execute()
        return Number(value)
      }),
    ),
  )
  expect(seen).toEqual(names.map((_, n) => n))
})

test('on a full disk only committed writes report success', async () => {
  await using disk = await onDisk()
  const { database } = disk
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db)
  const most = (rows[0]?.page_count ?? 0) + 40
  // oxlint-disable-next-line no-restricted-properties -- a pragma takes no parameters
  await sql.raw(`pragma max_page_count = ${most}`).execute(database.db)
  const large = 'x'.repeat(400_000)
  const outcomes = await Promise.allSettled(
    names.map((name, n) => write(database, name, n % 5 === 2 ? large : '')),
  )
  const committed = names.filter((_, n) => outcomes[n]?.status === 'fulfilled')
  expect(await keys(database)).toEqual(committed)
  const refusals = outcomes.flatMap((one): unknown[] =>
    one.status === 'rejected' ? [one.reason] : [],
  )
  expect(refusals.length).toBeGreaterThanOrEqual(4)
  expect(refusals.filter((reason) => !isStorageFailure(reason))).toEqual([])
  await write(database, 'later')
  expect(await keys(database)).toContain('later')
})

test('waits while another process writes', async () => {
  await using disk = await onDisk()
  const other = openDatabase(disk.url)
  const long = other.transaction(async (db) => {
    await db.insertInto('app_meta').values({ key: 'other', value: '' }).execute()
    await sleep(150)
  })
  await sleep(20)
  await Promise.all([...names.map((name) => write(disk.database, name)), long])
  expect(await keys(disk.database)).toHaveLength(names.length + 1)
  await other.close()
})
