import { expect, test } from 'vitest'
import { MAX_UPCOMING_WITH_PROVIDER } from '#contract/booking.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const HOUR = 3_600_000
const iso = (at: number) => new Date(at).toISOString()

async function patientWith(testApp: TestApp, starts: number[]) {
  const patient = await makePatient(testApp)
  // A patient may have at most three upcoming visits with one provider.
  for (let from = 0; from < starts.length; from += MAX_UPCOMING_WITH_PROVIDER) {
    const theirs = starts.slice(from, from + MAX_UPCOMING_WITH_PROVIDER)
    const { id: providerId } = await makeProvider(testApp, { slots: theirs })
    for (const start of theirs) await bookVisit(patient.ctx, { providerId, startsAt: iso(start) })
  }
  return patient
}

const hours = (testApp: TestApp, count: number) =>
  Array.from({ length: count }, (_, n) => testApp.services.now() + (n + 1) * HOUR)

test('coming visits are listed soonest first, five a page, past ones latest first', async () => {
  await using testApp = await makeTestApp()
  const starts = hours(testApp, 8)
  const { caller } = await patientWith(testApp, starts)
  await patientWith(testApp, starts.slice(0, 2))
  const first = await caller.booking.visits({ when: 'coming' })
  expect(first.visits.map(({ startsAt }) => startsAt)).toEqual(starts.slice(0, 5).map(iso))
  expect(first.total).toBe(8)
  const second = await caller.booking.visits({ when: 'coming', after: first.next ?? '' })
  expect(second.visits.map(({ startsAt }) => startsAt)).toEqual(starts.slice(5).map(iso))
  expect(second.next).toBeNull()
  expect(await caller.booking.visits({ when: 'past' })).toEqual({
    visits: [],
    next: null,
    total: 0,
  })
  // During the third visit, which still counts as upcoming.
  testApp.advance(3 * HOUR + 10 * 60_000)
  const past = await caller.booking.visits({ when: 'past' })
  expect(past.visits.map(({ startsAt }) => startsAt)).toEqual(
    starts.slice(0, 2).toReversed().map(iso),
  )
  expect((await caller.booking.visits({ when: 'coming' })).total).toBe(6)
})

test('a page that does not exist is refused', async () => {
  await using testApp = await makeTestApp()
  const { caller } = await makePatient(testApp)
  const refused = caller.booking.visits({ when: 'coming', after: '1 or 1=1' })
  await expect(refused).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    cause: { code: 'page_invalid' },
  })
})

test('a visit says who, where, when and what was paid, also when prices rise', async () => {
  await using testApp = await makeTestApp()
  const starts = hours(testApp, 1)
  const { caller } = await patientWith(testApp, starts)
  await testApp.database.db.updateTable('visit_types').set({ first_minor: 99_000 }).execute()
  const { visits } = await caller.booking.visits({ when: 'coming' })
  expect(visits[0]).toMatchObject({
    state: 'confirmed',
    provider: { name: 'Dr Amara Okafor', specialty: 'GP' },
    place: { postcode: 'SE1 6ET' },
    startsAt: iso(starts[0] ?? 0),
    timeZone: 'Europe/London',
    typeOfVisit: 'first_visit',
    purposeForVisit: 'A cough that will not go away',
    fee: { minor: 6_000, currency: 'GBP' },
    paymentMethod: 'stripe',
    bookedAt: '2026-03-02T09:00:00.000Z',
  })
  expect(await caller.booking.visit({ id: visits[0]?.id ?? '' })).toEqual(visits[0])
})

test('a hold is no visit yet', async () => {
  await using testApp = await makeTestApp()
  const starts = hours(testApp, 1)
  const { id: providerId } = await makeProvider(testApp, { slots: starts })
  const { caller } = await makePatient(testApp)
  const { id } = await caller.booking.hold({ providerId, startsAt: iso(starts[0] ?? 0) })
  expect((await caller.booking.visits({ when: 'coming' })).total).toBe(0)
  await expect(caller.booking.visit({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
