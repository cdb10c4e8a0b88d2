import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { openDatabase, retryUntilReachable } from './engine.ts'
import { isDatabaseDown, isUniqueViolation, LeakedHandleError } from './failures.ts'

describeEngines('the database engine', (makeDatabase) => {
  test('a transaction whose work throws is rolled back', async () => {
    const database = await makeDatabase()
    const failing = database.transaction(async (db) => {
      await db.insertInto('app_meta').values({ key: 'half', value: 'done' }).execute()
      throw new Error('stop here')
    })
    await expect(failing).rejects.toThrow('stop here')
    expect(await database.db.selectFrom('app_meta').selectAll().execute()).toEqual([])
  })

  test('using the root handle inside a transaction throws at once instead of deadlocking', async () => {
    const database = await makeDatabase()
    const leaking = database.transaction(() =>
      database.db.selectFrom('app_meta').selectAll().execute(),
    )
    await expect(leaking).rejects.toThrow(LeakedHandleError)
    const nested = database.transaction(() => database.transaction(() => Promise.resolve(1)))
    await expect(nested).rejects.toThrow(LeakedHandleError)
  })

  test('the root handle outside a transaction waits for it and sees what it committed', async () => {
    const database = await makeDatabase()
    const writing = database.transaction(async (db) => {
      await db.insertInto('app_meta').values({ key: 'a', value: '1' }).execute()
    })
    await writing
    expect(await database.db.selectFrom('app_meta').select('value').execute()).toEqual([
      { value: '1' },
    ])
  })

  test('a second row with the same key is recognised as a unique violation', async () => {
    const database = await makeDatabase()
    const row = { key: 'once', value: 'x' }
    await database.db.insertInto('app_meta').values(row).execute()
    const again = database.db.insertInto('app_meta').values(row).execute()
    await expect(again).rejects.toSatisfy(isUniqueViolation)
  })

  test('counts and instants come back as numbers', async () => {
    const database = await makeDatabase()
    const { rows } = await sql<{ n: number; at: number }>`
      select count(*) as n, cast(1772442000000 as bigint) as at from app_meta`.execute(database.db)
    expect(rows).toEqual([{ n: 0, at: 1_772_442_000_000 }])
  })

  test('a statement prepared before a schema change works after it', async () => {
    const database = await makeDatabase()
    const read = () => sql`select * from app_meta`.execute(database.db)
    await database.db.insertInto('app_meta').values({ key: 'k', value: 'v' }).execute()
    expect((await read()).rows).toEqual([{ key: 'k', value: 'v' }])
    await database.db.schema.alterTable('app_meta').addColumn('extra', 'text').execute()
    expect((await read()).rows).toEqual([{ key: 'k', value: 'v', extra: null }])
  })
})

function refused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
}

test('a statement that exceeds a time-out of its role in Postgres can be sent again', async () => {
  const url = `${inject('postgresUrl')}/postgres`
  const [database, other] = [openDatabase(url), openDatabase(url)]
  const lock = sql`select pg_advisory_xact_lock(8254)`
  try {
    const slow = database.transaction(async (db) => {
      await sql`set local statement_timeout = 50`.execute(db)
      await sql`select pg_sleep(10)`.execute(db)
    })
    expect(isDatabaseDown(await slow.catch((error: unknown) => error))).toBe(true)
    await other.transaction(async (holder) => {
      await lock.execute(holder)
      const waiting = database.transaction(async (db) => {
        await sql`set local lock_timeout = 50`.execute(db)
        await lock.execute(db)
      })
      expect(isDatabaseDown(await waiting.catch((error: unknown) => error))).toBe(true)
    })
  } finally {
    await database.close()
    await other.close()
  }
})

test('work is retried while the database cannot be reached, and that is reported once', async () => {
  const say = vi.fn<(seconds: number) => void>()
  const work = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(refused())
    .mockRejectedValueOnce(Object.assign(new Error('starting up'), { code: '57P03' }))
    .mockResolvedValue('done')
  expect(await retryUntilReachable(work, { forMs: 60_000, say })).toBe('done')
  expect(work).toHaveBeenCalledTimes(3)
  expect(say.mock.calls).toEqual([[60]])
})

test('other errors are thrown at once, and a lost connection when the time is up', async () => {
  const say = vi.fn<(seconds: number) => void>()
  const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' })
  await expect(
    retryUntilReachable(() => Promise.reject(wrong), { forMs: 60_000, say }),
  ).rejects.toBe(wrong)
  await expect(
    retryUntilReachable(() => Promise.reject(refused()), { forMs: 0, say }),
  ).rejects.toThrow('ECONNREFUSED')
  expect(say).not.toHaveBeenCalled()
})
