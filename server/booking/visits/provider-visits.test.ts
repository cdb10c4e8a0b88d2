import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { ProviderDay, ProviderVisit, ProviderWeek } from '#contract/booking-provider.ts'
import { HistoryPage } from '#contract/payments-history.ts'
import type { Database } from '#db/engine.ts'
import { cancelledNotice } from '#server/booking/cancelled-templates.ts'
import { noticeEmail } from '#server/booking/templates.ts'
import { makeAccount, makeProviderAccount, signInProviderCaller } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertRefund, insertVisit } from '#tests/harness/visits.ts'
import { findVisit } from './visit-store.ts'

async function open(database?: Database) {
  const testApp = await makeTestApp(database === undefined ? {} : { database })
  const { provider } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn({ email: provider.email, kind: 'provider' })
  const visit = (startsAt: string, rest: Partial<Parameters<typeof insertVisit>[2]> = {}) =>
    insertVisit(testApp, provider, { patientNo: patient.no, startsAt, ...rest })
  const today = async () => ProviderDay.parse((await browser.ask('booking.today', {})).data)
  return {
    testApp,
    provider,
    patient,
    browser,
    visit,
    today,
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

describeEngines('a provider’s day', (makeDatabase) => {
  test('lists today’s visits in chronological order, with patient and fee', async () => {
    await using day = await open(await makeDatabase())
    const late = await day.visit('2026-03-02T16:00:00Z', { isFollowUp: true })
    const early = await day.visit('2026-03-02T08:00:00Z')
    await day.visit('2026-03-01T10:00:00Z')
    const tomorrow = await day.visit('2026-03-03T10:00:00Z')
    await day.visit('2026-03-04T10:00:00Z')
    expect(await day.today()).toMatchObject({
      date: '2026-03-02',
      timeZone: 'Europe/London',
      visits: [
        {
          id: early.id,
          reference: referenceOf(early.id),
          patientName: 'Maya Ellis',
          startsAt: '2026-03-02T08:00:00.000Z',
          typeOfVisit: 'first_visit',
          followUpBasis: null,
          placeName: 'Borough Practice',
          hasPurpose: true,
        },
        { id: late.id, typeOfVisit: 'follow_up', followUpBasis: 'self_declared' },
      ],
      next: { id: tomorrow.id },
      free: [
        {
          date: '2026-03-03',
          slots: [{ startsAt: '2026-03-03T09:00:00.000Z' }, {}, {}, {}],
          more: 2,
        },
        { date: '2026-03-04', more: 2 },
      ],
    })
  })

  test('lists a week’s visits with the patient’s phone number, until they erase their account', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, browser, patient } = day
    await day.visit('2026-03-01T23:30:00Z')
    const first = await day.visit('2026-03-02T08:00:00Z')
    const last = await day.visit('2026-03-08T23:30:00Z')
    await day.visit('2026-03-09T08:00:00Z')
    await testApp.database.db
      .updateTable('accounts')
      .set({ phone_number: '+442079460100' })
      .where('no', '=', patient.no)
      .execute()
    const week = async () =>
      ProviderWeek.parse((await browser.ask('booking.week', { from: '2026-03-02' })).data)
    const { visits, hasManyPlaces } = await week()
    expect(visits.map(({ id }) => id)).toEqual([first.id, last.id])
    expect(visits[0]).toMatchObject({ patientName: 'Maya Ellis', phone: '+442079460100' })
    expect(visits[0]?.placeId).toMatch(/^plc_/)
    expect(hasManyPlaces).toBe(false)
    expect(JSON.stringify(visits)).not.toContain('purposeForVisit')
    await testApp.database.db
      .updateTable('accounts')
      .set({ erased_at: testApp.services.now() })
      .where('no', '=', patient.no)
      .execute()
    expect((await week()).visits[0]).toMatchObject({ patientName: null, phone: null })
  })

  test('free times and history rows of a provider with two places name the place', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, browser } = day
    await day.visit('2026-03-02T10:00:00Z')
    const { hasManyPlaces, free } = await day.today()
    expect([hasManyPlaces, free[0]?.slots[0]?.place]).toEqual([false, undefined])
    const row = async () =>
      HistoryPage.parse((await browser.ask('payments.providerHistory', {})).data).appointments[0]
    expect((await row())?.place).toBeNull()
    const { db } = testApp.database
    const first = await db
      .selectFrom('places')
      .selectAll()
      .where('provider_no', '=', provider.no)
      .executeTakeFirstOrThrow()
    const { no: _no, ...copy } = first
    const second = { ...copy, id: testApp.services.newId('plc'), name: 'Soho Rooms', position: 1 }
    await db.insertInto('places').values(second).execute()
    const after = await day.today()
    expect(after).toMatchObject({ hasManyPlaces: true, visits: [{ placeName: first.name }] })
    expect(after.free[0]?.slots.map(({ place }) => place)).toEqual(Array(4).fill(first.name))
    expect((await row())?.place).toBe(first.name)
  })

  test('lists neither cancelled visits nor holds', async () => {
    await using day = await open(await makeDatabase())
    await day.visit('2026-03-02T10:00:00Z', { state: 'cancelled' })
    await day.visit('2026-03-02T11:00:00Z', { state: 'held' })
    expect(await day.today()).toMatchObject({ visits: [], next: null })
  })
})

test('today is the clinic’s day: late in London it is still today in Honolulu', async () => {
  await using day = await open()
  await day.testApp.database.db
    .updateTable('places')
    .set({ time_zone: 'Pacific/Honolulu' })
    .where('provider_no', '=', day.provider.no)
    .execute()
  await day.visit('2026-03-02T08:00:00Z', { timeZone: 'Pacific/Honolulu' })
  expect(await day.today()).toMatchObject({
    date: '2026-03-01',
    visits: [{ startsAt: '2026-03-02T08:00:00.000Z' }],
  })
})

test('a day of the calendar is one of the main place, also for visits in another zone', async () => {
  await using testApp = await makeTestApp()
  const zone = { name: 'Austin Practice', time_zone: 'America/Chicago' }
  const places = [{}, { ...zone, position: 1 }]
  const provider = await makeProvider(testApp, { slots: [], places })
  const { booking, availability } = await signInProviderCaller(testApp, provider)
  const placeId = (await availability.mine({})).places[1]?.id ?? ''
  // Nine in the evening in Austin is two in the morning of the next day in London, after one there.
  const walkIn = { kind: 'walk_in', name: 'Ida Rowe' } as const
  await booking.addDesk({ ...walkIn, slot: { date: '2026-03-10', time: '21:00' }, placeId })
  await booking.addDesk({ ...walkIn, slot: { date: '2026-03-11', time: '01:00' } })
  const startsOn = async (from: string) =>
    (await booking.week({ from, days: 1 })).visits.map(({ startsAt }) => startsAt)
  expect(await startsOn('2026-03-10')).toEqual([])
  expect(await startsOn('2026-03-11')).toEqual([
    '2026-03-11T01:00:00.000Z',
    '2026-03-11T02:00:00.000Z',
  ])
})

test('the purpose is fetched separately, and the access is audited', async () => {
  await using day = await open()
  const { id } = await day.visit('2026-03-02T10:00:00Z')
  expect(JSON.stringify(await day.today())).not.toContain('cough')
  const answer = await day.browser.act('booking.purpose', { id })
  expect(answer.data).toEqual({ purposeForVisit: 'A cough that will not go away' })
  const rows = await day.testApp.database.db
    .selectFrom('audit')
    .select(['action', 'entity', 'actor_kind', 'details'])
    .where('action', '=', 'visit.purpose_read')
    .execute()
  expect(rows).toEqual([
    { action: 'visit.purpose_read', entity: id, actor_kind: 'provider', details: '{}' },
  ])
})

test.for(['held', 'another’s'])('the purpose of what is %s is not found', async (what) => {
  await using day = await open()
  const { provider: other } = await makeProviderAccount(day.testApp)
  const at = { patientNo: day.patient.no, startsAt: '2026-03-02T10:00:00Z' }
  const { id } =
    what === 'held'
      ? await day.visit(at.startsAt, { state: 'held' })
      : await insertVisit(day.testApp, other, at)
  expect((await day.browser.act('booking.purpose', { id })).code).toBe('not_found')
})

test('a patient who has erased the account has no name', async () => {
  await using day = await open()
  await day.visit('2026-03-02T10:00:00Z')
  await day.testApp.database.db
    .updateTable('accounts')
    .set({ erased_at: day.testApp.services.now() })
    .where('no', '=', day.patient.no)
    .execute()
  expect((await day.today()).visits).toMatchObject([{ patientName: null }])
})

async function openVisit(testApp: TestApp) {
  const { provider } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp, {
    email: 'maya@mail.example',
    // Turns 38 tomorrow.
    date_of_birth: '1988-03-03',
  })
  const browser = new Browser(testApp)
  await browser.signIn({ email: provider.email, kind: 'provider' })
  const visit = (startsAt: string, rest: Partial<Parameters<typeof insertVisit>[2]> = {}) =>
    insertVisit(testApp, provider, { patientNo: patient.no, startsAt, ...rest })
  return { provider, patient, browser, visit }
}

describeEngines('a visit as shown to its provider', (makeDatabase) => {
  test('an upcoming visit has time, place, patient, contact details, payment and earlier visits', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, visit } = await openVisit(testApp)
    const past = await visit('2025-11-03T10:00:00Z')
    const called = await visit('2026-03-09T10:00:00Z', { state: 'cancelled' })
    await visit('2026-03-10T10:00:00Z', { state: 'held' })
    const { id, paymentNo } = await visit('2026-04-14T13:30:00Z', { isFollowUp: true })
    await insertRefund(testApp, { no: paymentNo, minor: 1_500 })
    const { data } = await browser.ask('booking.providerVisit', { id })
    expect(ProviderVisit.parse(data)).toMatchObject({
      id,
      now: '2026-03-02T09:00:00.000Z',
      state: 'confirmed',
      startsAt: '2026-04-14T13:30:00.000Z',
      endsAt: '2026-04-14T14:00:00.000Z',
      timeZone: 'Europe/London',
      place: { name: 'Borough Practice' },
      typeOfVisit: 'follow_up',
      followUpBasis: 'self_declared',
      hasPurpose: true,
      patient: {
        name: 'Maya Ellis',
        email: 'maya@mail.example',
        phone: '020 7946 0123',
        age: 37,
      },
      others: [
        { id: called.id, state: 'cancelled' },
        { id: past.id, state: 'confirmed', startsAt: '2025-11-03T10:00:00.000Z' },
      ],
      otherCount: 2,
      paid: { minor: 6_000, currency: 'GBP' },
      refunded: { minor: 1_500, currency: 'GBP' },
      paymentMethod: 'stripe',
    })
    expect(JSON.stringify(data)).not.toContain('cough')
  })

  test('an erased patient has no name, contact details or other visits', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, visit, patient } = await openVisit(testApp)
    await visit('2025-11-03T10:00:00Z')
    const { id } = await visit('2025-12-03T10:00:00Z')
    await testApp.database.db
      .updateTable('accounts')
      .set({ erased_at: testApp.services.now() })
      .where('no', '=', patient.no)
      .execute()
    const { data } = await browser.ask('booking.providerVisit', { id })
    expect(data).toMatchObject({ patient: null, others: [], otherCount: 0 })
    expect(JSON.stringify(data)).not.toMatch(/Maya|mail\.example|7946/)
  })
})

test('opening a visit is audited', async () => {
  await using testApp = await makeTestApp()
  const { browser, visit } = await openVisit(testApp)
  const { id } = await visit('2026-03-12T10:00:00Z')
  await browser.ask('booking.providerVisit', { id })
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['action', 'entity', 'actor_kind', 'details'])
    .where('action', '=', 'visit.opened')
    .execute()
  expect(rows).toEqual([
    { action: 'visit.opened', entity: id, actor_kind: 'provider', details: '{}' },
  ])
})

test.for(['held', 'another’s'])('what is %s is not found', async (what) => {
  await using testApp = await makeTestApp()
  const { browser, visit, patient } = await openVisit(testApp)
  const { provider: other } = await makeProviderAccount(testApp)
  const { id } =
    what === 'held'
      ? await visit('2026-03-12T10:00:00Z', { state: 'held' })
      : await insertVisit(testApp, other, {
          patientNo: patient.no,
          startsAt: '2026-03-12T10:00:00Z',
        })
  expect((await browser.ask('booking.providerVisit', { id })).code).toBe('not_found')
})

test('emails to the provider link to the visit itself', async () => {
  await using testApp = await makeTestApp()
  const { visit, provider } = await openVisit(testApp)
  const { id } = await visit('2026-03-12T10:00:00Z')
  const row = await findVisit(testApp.database.db, id)
  if (row === undefined) throw new Error(`no visit of ${provider.id}`)
  const site = { site: 'https://apposite.example', supportEmail: 'help@apposite.example' }
  const facts = { ...site, cancellation: undefined }
  for (const { blocks } of [noticeEmail(row, site), cancelledNotice(row, facts)]) {
    expect(blocks).toContainEqual(
      expect.objectContaining({ url: `https://apposite.example/doctor/visits/${id}` }),
    )
  }
})
