import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { migrations } from '#migrations/registry.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'
import { insertBooking } from './store.ts'

const references = migrations['0030-references']

describeEngines('references of appointments', (makeDatabase) => {
  async function open() {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider } = await makeProviderAccount(testApp)
    const { no: patientNo } = await makeAccount(testApp)
    const book = (startsAt: string) => insertVisit(testApp, provider, { patientNo, startsAt })
    return { testApp, book, [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose]() }
  }

  test('an existing reference is not assigned again', async () => {
    await using at = await open()
    const { db } = at.testApp.database
    const { id } = await at.book('2025-06-30T09:00:00Z')
    const { no: _no, ...row } = await db
      .selectFrom('bookings')
      .selectAll()
      .executeTakeFirstOrThrow()
    const ids = [`apt_${'a'.repeat(20)}${id.slice(-6)}`, `apt_${'a'.repeat(20)}7k3m2q`]
    const written = await db
      .transaction()
      .execute((tx) =>
        insertBooking(tx, { ...row, state: 'released', paid_by: null }, () => ids.shift() ?? ''),
      )
    expect(written.id).toBe(`apt_${'a'.repeat(20)}7k3m2q`)
    const kept = await db.selectFrom('bookings').select('reference').orderBy('no').execute()
    expect(kept.map(({ reference }) => reference)).toEqual([referenceOf(id), 'AP-7K3M-2Q'])
  })

  test('older appointments get unique references, also on a collision', async () => {
    await using at = await open()
    const { db } = at.testApp.database
    const visits = [
      await at.book('2025-06-30T09:00:00Z'),
      await at.book('2025-06-30T10:00:00Z'),
      await at.book('2025-06-30T11:00:00Z'),
    ]
    await references?.down?.(db)
    const ids = [
      '0123456789abcd9999997k3m2q',
      'abcdefghjkmnpq8888887k3m2q',
      '0000000000000000000000abcdef',
    ]
    for (const [index, id] of ids.entries()) {
      await db
        .updateTable('bookings')
        .set({ id: `apt_${id.slice(-26)}` })
        .where('id', '=', visits[index]?.id ?? '')
        .execute()
    }
    await references?.up(db)
    const kept = await db.selectFrom('bookings').select('reference').orderBy('no').execute()
    expect(kept.map(({ reference }) => reference)).toEqual([
      'AP-7K3M-2Q',
      'AP-8888-88',
      'AP-ABCD-EF',
    ])
  })
})
