import { expect, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { seedDemoPayments } from './demo-payments.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

test('the desk is written once, whoever else starts at the same moment', async () => {
  const database = openDatabase('sqlite::memory:')
  try {
    await migrateToLatest(database)
    const wrote = [
      await seedDemoPayments(database, { now: NOW }),
      await seedDemoPayments(database, { now: NOW }),
    ]
    expect(wrote).toEqual([true, false])
    const found = await database.db
      .selectFrom('payment_differences')
      .select(['kind', 'dealt_at'])
      .orderBy('found_at', 'desc')
      .execute()
    expect(found.map(({ dealt_at: dealt }) => dealt === null)).toEqual([true, true, false])
  } finally {
    await database.close()
  }
})
