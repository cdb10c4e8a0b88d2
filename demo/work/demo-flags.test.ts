import { expect, test } from 'vitest'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedFlags } from './demo-flags.ts'

test('the demo has a patient and a provider who cancel often, written once', async () => {
  await using testApp = await makeTestApp()
  const uk = await makeProvider(testApp, { email: 'provider@demo.example' })
  const usa = await makeProvider(testApp, { email: 'provider-us@demo.example' })
  await makePatient(testApp, { email: 'caleb.morgan.guest@demo.example' })
  const options = { now: testApp.services.now() }
  expect(await seedFlags(testApp.database, options)).toBe(true)
  expect(await seedFlags(testApp.database, options)).toBe(false)
  const rows = await testApp.database.db
    .selectFrom('visit_changes as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .select(['b.provider_no', 'c.by_kind', 'b.state', 'c.at'])
    .orderBy('c.no')
    .execute()
  expect(rows.map((row) => [row.provider_no, row.by_kind, row.state])).toEqual([
    ...Array.from({ length: 4 }, () => [uk.no, 'patient', 'cancelled']),
    ...Array.from({ length: 3 }, () => [usa.no, 'provider', 'cancelled']),
  ])
  const month = 30 * 86_400_000
  expect(rows.every(({ at }) => at < options.now && at > options.now - month)).toBe(true)
})
