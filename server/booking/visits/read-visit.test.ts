import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { MAX_UPCOMING_WITH_PROVIDER } from '#contract/booking.ts'
import { DEFAULT_REMINDERS } from '#contract/reminders.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, insertVisit } from '#tests/harness/visits.ts'

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

test('upcoming visits are listed soonest first, five a page, past ones latest first', async () => {
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

test('a visit has provider, place, time and the amount paid, even after a price change', async () => {
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

test('a hold is not a visit', async () => {
  await using testApp = await makeTestApp()
  const starts = hours(testApp, 1)
  const { id: providerId } = await makeProvider(testApp, { slots: starts })
  const { caller } = await makePatient(testApp)
  const { id } = await caller.booking.hold({ providerId, startsAt: iso(starts[0] ?? 0) })
  expect((await caller.booking.visits({ when: 'coming' })).total).toBe(0)
  await expect(caller.booking.visit({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

async function visitOf(testApp: TestApp, state: 'confirmed' | 'cancelled' = 'confirmed') {
  const provider = await makeProvider(testApp, { last_name: 'O’Neil & Søn', region: 'usa' })
  const { account, caller } = await makePatient(testApp)
  const { id } = await insertVisit(testApp, provider, {
    patientNo: account.no,
    startsAt: '2026-07-14T13:30:00Z',
    region: 'usa',
    state,
  })
  return { id, caller, visit: () => caller.booking.visit({ id }) }
}

function readLink(link = '') {
  const { host, pathname, searchParams } = new URL(link)
  return { at: host + pathname, ...Object.fromEntries(searchParams) }
}

test('web calendar links have time, provider and place, never the purpose', async () => {
  await using testApp = await makeTestApp()
  const { id, visit } = await visitOf(testApp)
  const { calendarLinks: links } = await visit()
  const place = 'Borough Practice, 12 Harper Road, London, SE1 6ET'
  expect(readLink(links?.google)).toEqual({
    at: 'calendar.google.com/calendar/render',
    action: 'TEMPLATE',
    text: 'Visit to Dr Amara O’Neil & Søn',
    dates: '20260714T133000Z/20260714T140000Z',
    ctz: 'America/New_York',
    location: place,
    details: `Reference: ${referenceOf(id)}`,
  })
  expect(readLink(links?.outlook)).toEqual({
    at: 'outlook.live.com/calendar/0/deeplink/compose',
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: 'Visit to Dr Amara O’Neil & Søn',
    startdt: '2026-07-14T13:30:00.000Z',
    enddt: '2026-07-14T14:00:00.000Z',
    location: place,
    body: `Reference: ${referenceOf(id)}`,
  })
  expect(links?.outlook).not.toContain('+')
  expect(JSON.stringify(links)).not.toMatch(/cough/)
})

test('a cancelled visit has no calendar links, and a discreet one names nobody', async () => {
  await using testApp = await makeTestApp()
  expect((await (await visitOf(testApp, 'cancelled')).visit()).calendarLinks).toBeNull()
  const { caller, visit } = await visitOf(testApp)
  await caller.reminders.save({ ...DEFAULT_REMINDERS, discreet: true })
  const { calendarLinks: links } = await visit()
  expect(readLink(links?.google)).toMatchObject({ text: 'Appointment' })
  expect(JSON.stringify(links)).not.toMatch(/Neil|Borough(%20|\+| )Practice/)
})
