import { expect, test } from 'vitest'
import type { Db } from '#db/engine.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { rebuildCells } from './index-store.ts'
import { reindexProviders } from './reindex.ts'

const rowsOf = (db: Db) => db.selectFrom('search_index').selectAll().orderBy('place_no').execute()

const cellsOf = (db: Db) =>
  db
    .selectFrom('search_cells')
    .selectAll()
    .where('places', '<>', 0)
    .orderBy('specialty_no')
    .orderBy('band')
    .orderBy('cell')
    .execute()

describeEngines('reindexing in several processes', (makeDatabase) => {
  async function begin() {
    const database = await makeDatabase()
    const testApp = await makeTestApp({ database })
    const providers = [
      await makeProvider(testApp),
      await makeProvider(testApp, { places: [{}, {}] }),
    ]
    const now = testApp.services.now()
    return { database, now, numbers: providers.map(({ no }) => no) }
  }

  test('waits for a running one, and starts from what it wrote', async () => {
    const { database, now, numbers } = await begin()
    const before = await rowsOf(database.db)
    const written = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const first = database.transaction(async (db) => {
      await reindexProviders(db, now, numbers)
      written.resolve()
      await released.promise
    })
    await written.promise
    const second = database.transaction((db) => reindexProviders(db, now, numbers))
    // Long enough for the second to come as far as it can before the first commits.
    setTimeout(released.resolve, 100)
    await Promise.all([first, second])
    expect(await rowsOf(database.db)).toEqual(before)
  })

  test('loses and duplicates no rows, for some providers or all', async () => {
    const { database, now, numbers } = await begin()
    const { db } = database
    const before = await rowsOf(db)
    await Promise.all(
      [numbers, numbers.toReversed(), undefined, numbers, undefined, [numbers[1] ?? 0]].map(
        (some) => database.transaction((tx) => reindexProviders(tx, now, some)),
      ),
    )
    expect(await rowsOf(db)).toEqual(before)
    const counted = await cellsOf(db)
    await rebuildCells(db)
    expect(counted).toEqual(await cellsOf(db))
  })
})
