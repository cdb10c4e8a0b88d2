import { expect, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { writeMeta } from '#demo/meta.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { prepare } from './prepare.ts'

const real = { ...readConfig({}), demo: false, databaseUrl: 'sqlite::memory:' }

test('a real installation gets postcodes and towns, and not one made-up doctor', async () => {
  const database = openDatabase('sqlite::memory:')
  const lines: string[] = []
  await prepare(database, real, { now: 0, say: (line) => lines.push(line) })
  const count = async (table: 'providers' | 'geo_uk_sectors') =>
    (
      await database.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('n'))
        .execute()
    )[0]?.n
  expect(await count('providers')).toBe(0)
  expect(await count('geo_uk_sectors')).toBeGreaterThan(9_000)
  expect(lines.length).toBeGreaterThan(0)
  await database.close()
})

test('a real installation refuses to serve a database that held a demo', async () => {
  const database = openDatabase('sqlite::memory:')
  const say = () => undefined
  await prepare(database, real, { now: 0, say })
  await writeMeta(database.db, 'demo_seed', '2000')
  await expect(prepare(database, real, { now: 0, say })).rejects.toThrow('demo data')
  await database.close()
})
