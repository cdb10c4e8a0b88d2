import { expect, test } from 'vitest'
import { createCaller } from '#server/app-router.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { makePatient, signedInAs } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { settleNoShows } from './settle-no-shows.ts'

const HOUR = 3_600_000

/** A missed visit of £60.00, of which half is kept, and refunds of it made before. */
async function makeMissed(
  testApp: TestApp,
  before: { taken?: number; refunded: number; reason: 'staff' | 'overpaid' },
) {
  const { account, provider } = await makeProviderAccount(testApp)
  const base = signedInAs(testApp.services, account)
  const session = { ...base.session, kind: 'provider' as const }
  const doctor = createCaller({ ...base, viewer: { kind: 'provider', id: provider.id }, session })
  const { account: person } = await makePatient(testApp)
  const { id, no, paymentNo } = await insertVisit(testApp, provider, {
    patientNo: person.no,
    startsAt: '2026-03-02T10:00:00Z',
  })
  const { db } = testApp.database
  const now = testApp.services.now()
  await db.updateTable('bookings').set({ no_show_percent: 50 }).where('no', '=', no).execute()
  await db
    .updateTable('payments')
    .set({ taken_minor: before.taken ?? null, taken_currency: before.taken ? 'GBP' : null })
    .execute()
  await db
    .insertInto('refunds')
    .values({
      id: testApp.services.newId('rfd'),
      payment_no: paymentNo ?? 0,
      key: before.reason,
      reason: before.reason,
      amount_minor: before.refunded,
      currency: 'GBP',
      state: 'done',
      gw_refund: null,
      failure: null,
      key_round: 0,
      tries: 0,
      next_try_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
  testApp.advance(2 * HOUR)
  await doctor.outcomes.mark({ id, mark: 'no_show' })
  await testApp.drainOutbox()
  const email = testApp.mails.find(({ to }) => to === person.email)?.text ?? ''
  testApp.advance(7 * 24 * HOUR)
  await settleNoShows(testApp.services)
  const refunds = await db
    .selectFrom('refunds')
    .select('amount_minor')
    .where('reason', '=', 'no_show')
    .execute()
  return { email, refunds: refunds.map(({ amount_minor: minor }) => minor) }
}

describeEngines('the money of a missed visit', (makeDatabase) => {
  test('what staff have given back is not promised again', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const missed = await makeMissed(testApp, { refunded: 2_000, reason: 'staff' })
    expect(missed.refunds).toEqual([1_000])
    expect(missed.email).toContain('£30.00 of the payment isn’t refunded.')
    expect(missed.email).toContain('We’ll refund £10.00 after')
  })

  test('where all of it went back, nothing is kept', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const missed = await makeMissed(testApp, { refunded: 6_000, reason: 'staff' })
    expect(missed.refunds).toEqual([])
    expect(missed.email).not.toContain('£')
  })

  test('the share is kept of the price, not of what was paid too much', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const missed = await makeMissed(testApp, { taken: 8_000, refunded: 2_000, reason: 'overpaid' })
    expect(missed.refunds).toEqual([3_000])
    expect(missed.email).toContain('£30.00 of the payment isn’t refunded.')
    expect(missed.email).toContain('We’ll refund £30.00 after')
  })
})
