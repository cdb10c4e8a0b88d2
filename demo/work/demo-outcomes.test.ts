import { expect, test } from 'vitest'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedOutcomes } from './demo-outcomes.ts'

test('the demo has a missed visit, one that is contested and others that took place, written once', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp, { email: 'provider@demo.example' })
  const mine = await makePatient(testApp, { email: 'patient@demo.example' })
  const guest = await makePatient(testApp, { email: 'tom.hartley.guest@demo.example' })
  const book = (patientNo: number, day: string) =>
    insertVisit(testApp, provider, { patientNo, startsAt: `2026-02-${day}T10:00:00Z` })
  await book(guest.account.no, '20')
  await book(guest.account.no, '24')
  const { id } = await book(mine.account.no, '26')
  const options = { now: testApp.services.now(), seal: (words: string) => `sealed ${words}` }
  expect(await seedOutcomes(testApp.database, options)).toBe(true)
  expect(await seedOutcomes(testApp.database, options)).toBe(false)
  const rows = await testApp.database.db
    .selectFrom('bookings as b')
    .leftJoin('outcome_claims as c', 'c.booking_no', 'b.no')
    .select(['b.outcome', 'c.state'])
    .orderBy('b.start_at')
    .execute()
  expect(rows).toEqual([
    { outcome: 'completed', state: null },
    { outcome: 'no_show', state: 'open' },
    { outcome: 'no_show', state: null },
  ])
  const { contestUntil } = (await mine.caller.booking.visit({ id })).outcome
  expect(Date.parse(contestUntil ?? '')).toBeGreaterThan(testApp.services.now())
})
