import { expect, test } from 'vitest'
import { DataExport } from '#contract/profiles.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

describeEngines('the export of one’s own data', (makeDatabase) => {
  test('has every change of a patient’s visits, without what staff noted for themselves', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider, account: doctor } = await makeProviderAccount(testApp)
    const account = await makeAccount(testApp)
    const { db } = testApp.database
    const start = Date.parse('2026-03-05T09:00:00Z')
    const startsAt = new Date(start).toISOString()
    const { id, no } = await insertVisit(testApp, provider, { patientNo: account.no, startsAt })
    const stranger = await makeAccount(testApp)
    const other = { patientNo: stranger.no, startsAt: '2026-03-06T09:00:00Z' }
    await insertVisit(testApp, provider, { ...other, cancelled: { by: 'patient' } })
    const change = {
      booking_no: no,
      at: testApp.services.now(),
      by_id: null,
      sequence: 1,
      from_at: start,
      reason: null,
      refund_minor: null,
      kept_minor: null,
    }
    await db
      .insertInto('visit_changes')
      .values([
        { ...change, what: 'proposed', by_kind: 'provider', to_at: null, note: 'We close early.' },
        { ...change, what: 'moved', by_kind: 'staff', to_at: start, note: 'Called twice.' },
      ])
      .execute()
    const taken = async (whose: typeof account) => {
      const browser = new Browser(testApp)
      await browser.signIn(whose)
      const { data } = await browser.act('profiles.exportData')
      return DataExport.parse(data).visit_changes
    }
    const proposed = {
      visit_id: id,
      at: '2026-03-02T09:00:00.000Z',
      what: 'proposed',
      by: 'provider',
      from_at: startsAt,
      to_at: null,
      note: 'We close early.',
      currency: 'GBP',
    }
    expect(await taken(account)).toMatchObject([
      proposed,
      { visit_id: id, what: 'moved', by: 'staff', to_at: startsAt, note: null },
    ])
    // A provider's export holds their own actions.
    expect(await taken(doctor)).toMatchObject([proposed])
  })
})
