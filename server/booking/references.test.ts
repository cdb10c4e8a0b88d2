import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'
import { insertBooking } from './store.ts'

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
})
