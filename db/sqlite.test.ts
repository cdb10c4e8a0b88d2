import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from './engine.ts'

const ROWS = 2_000

/** KB of a file that count as this process's memory; null where the system does not say. */
function mappedKb(path: string): number | null {
  if (process.platform !== 'linux') return null
  const lines = readFileSync('/proc/self/smaps', 'utf8').split('\n')
  let kb = 0
  for (const [n, line] of lines.entries()) {
    if (!line.endsWith(` ${path}`)) continue
    const resident = lines.slice(n).find((later) => later.startsWith('Rss:'))
    kb += Number(resident?.replaceAll(/\D/g, ''))
  }
  return kb
}

test('pages that are let go of are no memory of this process, and are read again as before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-sqlite-'))
  const path = join(folder, 'some.db')
  const database = openDatabase(`sqlite:${path}`)
  try {
    const { db } = database
    await sql`create table big (n integer primary key, text text)`.execute(db)
    await sql`with recursive c(n) as (select 1 union all select n + 1 from c where n < ${ROWS})
      insert into big select n, hex(zeroblob(1000)) from c`.execute(db)
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    const sum = async () =>
      (await sql<{ n: number }>`select sum(length(text)) as n from big`.execute(db)).rows[0]?.n
    expect(await sum()).toBe(ROWS * 2_000)
    const before = mappedKb(path)
    database.letGoOfPages()
    const after = mappedKb(path)
    if (before !== null) expect([before > 1_000, after]).toEqual([true, 0])
    expect(await sum()).toBe(ROWS * 2_000)
    if (before !== null) expect(mappedKb(path)).toBeGreaterThan(1_000)
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
  // A job may come after the end.
  expect(() => database.letGoOfPages()).not.toThrow()
})
