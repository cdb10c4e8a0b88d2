import { expect, test } from 'vitest'
import { makePatient, signInProviderCaller } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

describeEngines('a visit moved to a place in another time zone', (makeDatabase) => {
  test('keeps the zone of its old time, in both emails and wherever it is shown', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const provider = await makeProvider(testApp, {
      region: 'usa',
      currency: 'USD',
      place: { time_zone: 'America/New_York' },
      slots: [Date.parse('2026-03-05T15:00:00Z'), Date.parse('2026-03-06T15:00:00Z')],
    })
    const { account, caller } = await makePatient(testApp)
    const { id, no } = await insertVisit(testApp, provider, {
      patientNo: account.no,
      startsAt: '2026-03-04T15:00:00Z',
      region: 'usa',
      timeZone: 'America/Chicago',
    })
    const start = Date.parse('2026-03-04T15:00:00Z')
    await testApp.database.db
      .insertInto('slot_claims')
      .values({
        provider_no: provider.no,
        booking_no: no,
        start_at: start,
        end_at: start + 30 * 60_000,
      })
      .execute()
    const doctor = await signInProviderCaller(testApp, provider)
    const slot = { startsAt: '2026-03-05T15:00:00Z' }
    await doctor.visits.moveAgreed({ id, sequence: 0, slot })
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(2)
    for (const { text } of testApp.mails) {
      expect(text).toContain('Thursday, March 5, 2026, 10:00 am (Eastern Time, EST)')
      expect(text).toContain('Wednesday, March 4, 2026, 9:00 am (Central Time, CST)')
    }
    const next = { startsAt: '2026-03-06T15:00:00Z' }
    await doctor.visits.moveAgreed({ id, sequence: 1, slot: next })
    const moves = [
      { fromZone: 'America/Chicago', toZone: 'America/New_York' },
      { fromZone: 'America/New_York', toZone: 'America/New_York' },
    ]
    expect((await caller.booking.visit({ id })).moves).toMatchObject(moves)
    expect((await doctor.booking.providerVisit({ id })).moves).toMatchObject(moves)
  })
})
