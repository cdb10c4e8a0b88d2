import { expect, test } from 'vitest'
import { describeEngines } from '#tests/harness/engines.ts'
import { LeakedHandleError } from './failures.ts'
import { prepared } from './prepared.ts'

const insertMeta = prepared((db, row: { key: string; value: string }) =>
  db.insertInto('app_meta').values(row),
)

const listBetween = prepared((db, { from, to, not }: { from: string; to: string; not: string }) =>
  db
    .selectFrom('app_meta')
    .selectAll()
    .where('key', '>=', from)
    .where('key', '<=', to)
    .where('value', 'not in', [not, 'never'])
    .orderBy('key'),
)

describeEngines('a prepared statement', (makeDatabase) => {
  test('runs with the values of each call, in whatever order its keys are given', async () => {
    const { db } = await makeDatabase()
    for (const key of ['a', 'b', 'c', 'd']) await insertMeta(db, { value: `is ${key}`, key })
    const keys = async (given: Parameters<typeof listBetween>[1]) =>
      (await listBetween(db, given)).map(({ key }) => key)
    expect(await keys({ from: 'a', to: 'c', not: 'is b' })).toEqual(['a', 'c'])
    expect(await keys({ not: '', to: 'd', from: 'b' })).toEqual(['b', 'c', 'd'])
    expect(await keys({ from: 'x', to: 'z', not: '' })).toEqual([])
  })

  test('belongs to the transaction whose handle it is given', async () => {
    const database = await makeDatabase()
    const failing = database.transaction(async (trx) => {
      await insertMeta(trx, { key: 'half', value: 'done' })
      expect(await listBetween(trx, { from: 'half', to: 'half', not: '' })).toHaveLength(1)
      throw new Error('stop here')
    })
    await expect(failing).rejects.toThrow('stop here')
    expect(await listBetween(database.db, { from: 'half', to: 'half', not: '' })).toEqual([])
  })

  test('refuses the root handle inside a transaction, also once it is built', async () => {
    const database = await makeDatabase()
    await insertMeta(database.db, { key: 'outside', value: '1' })
    const leaking = database.transaction(() =>
      insertMeta(database.db, { key: 'inside', value: '1' }),
    )
    await expect(leaking).rejects.toThrow(LeakedHandleError)
  })
})
