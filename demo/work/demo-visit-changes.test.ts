import { expect, test } from 'vitest'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'
import { seedFlags, seedMove, seedOutcomes, seedProposal } from './demo-visit-changes.ts'

test('the demo has an upcoming visit that was moved, written once', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp)
  const { account, caller } = await makePatient(testApp, { email: 'patient@demo.example' })
  const book = (startsAt: string) =>
    insertVisit(testApp, provider, { patientNo: account.no, startsAt })
  await book('2026-03-05T09:00:00Z')
  await book('2026-03-06T09:00:00Z')
  const options = { now: testApp.services.now() }
  expect(await seedMove(testApp.database, options)).toBe(true)
  expect(await seedMove(testApp.database, options)).toBe(false)
  const { visits } = await caller.booking.visits({ when: 'coming' })
  expect(visits.map(({ moves }) => moves.map(({ from, to }) => [from, to]))).toEqual([
    [],
    [['2026-03-13T09:00:00.000Z', '2026-03-06T09:00:00.000Z']],
  ])
})

test('the demo has an upcoming visit whose provider proposes other times, written once', async () => {
  await using testApp = await makeTestApp()
  const free = [6, 7, 8, 9].map((day) => Date.parse(`2026-03-0${day}T10:00:00Z`))
  const provider = await makeProvider(testApp, { slots: free })
  const { account, caller } = await makePatient(testApp, { email: 'patient@demo.example' })
  const startsAt = '2026-03-05T09:00:00Z'
  await insertVisit(testApp, provider, { patientNo: account.no, startsAt })
  const options = { now: testApp.services.now() }
  expect(await seedProposal(testApp.database, options)).toBe(true)
  expect(await seedProposal(testApp.database, options)).toBe(false)
  const { visits } = await caller.booking.visits({ when: 'coming' })
  expect(visits[0]?.proposed?.times.map((time) => Date.parse(time.startsAt))).toEqual(
    free.slice(0, 3),
  )
})

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

test('the demo has a missed visit, a contested one and others that took place, written once', async () => {
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
