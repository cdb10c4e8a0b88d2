import { expect, test } from 'vitest'
import { type Database, openDatabase } from '#db/engine.ts'
import { writeMeta } from '#demo/store.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { prepare } from './prepare.ts'

// In memory, because the start lock is not tested here.
const demo = { ...readConfig({}), databaseUrl: 'sqlite::memory:' }
const real = { ...demo, demo: false }

const DEMO_DATA =
  'DATABASE_URL or DATA_DIR points to a database with demo data. A real installation needs its own.'
const REAL_DATA =
  'DATABASE_URL or DATA_DIR points to the database of a real installation, but this is a demo. Set DEMO_MODE=off, or give the demo its own folder.'

function start(database: Database, config = real): Promise<boolean> {
  return prepare(database, config, { now: 0, say: () => undefined })
}

async function countProviders({ db }: Database): Promise<number> {
  return (await db.selectFrom('providers').select('no').execute()).length
}

test('a real installation gets postcodes and towns, but no demo data', async () => {
  const database = openDatabase('sqlite::memory:')
  const lines: string[] = []
  await prepare(database, real, { now: 0, say: (line) => lines.push(line) })
  const sectors = await database.db.selectFrom('geo_uk_sectors').selectAll().execute()
  expect(await countProviders(database)).toBe(0)
  expect(sectors.length).toBeGreaterThan(9_000)
  expect(lines.length).toBeGreaterThan(0)
  await database.close()
})

describeEngines('the mode of a database', (makeDatabase) => {
  test('refuses a demo on a real database, even an empty one', async () => {
    const database = await makeDatabase('places')
    await start(database)
    await expect(start(database, demo)).rejects.toThrow(REAL_DATA)
    expect(await countProviders(database)).toBe(0)
    // The database is unchanged: its real installation still starts.
    await start(database)
  })

  test('an unmarked one with people and without demo data is real', async () => {
    const database = await makeDatabase('places')
    await makeAccount(await makeTestApp({ database }))
    await expect(start(database, demo)).rejects.toThrow(REAL_DATA)
    expect(await countProviders(database)).toBe(0)
    await start(database)
  })

  test('refuses a real installation on a demo database, marked or not', async () => {
    const database = await makeDatabase('places')
    await writeMeta(database.db, 'demo_seed', '2000')
    await makeAccount(await makeTestApp({ database }))
    await expect(start(database)).rejects.toThrow(DEMO_DATA)
    await database.db.deleteFrom('app_meta').where('key', '=', 'demo_seed').execute()
    await expect(start(database)).rejects.toThrow(DEMO_DATA)
  })
})
