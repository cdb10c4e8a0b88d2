import { expect, test } from 'vitest'
import { readOutsideCalendars } from '#server/outside-calendars/read-calendars.ts'
import { makePatient, signInProviderCaller } from '#tests/harness/accounts.ts'
import { makeClinician } from '#tests/harness/clinician.ts'
import { errorCodeOf } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeFakeOutsideCalendars } from '#tests/harness/servers/fake-gateways.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const DENVER = 'America/Denver'
const PHOENIX = 'America/Phoenix'
/** Summer: Denver is an hour ahead of Phoenix. */
const DAY = '2026-03-17'
const place = { name: 'Lake Clinic', postcode: '86040', locality: 'Page, AZ', time_zone: DENVER }
const hours = { weekday: 2, from: 540, to: 660 }

/** A provider at Page, Arizona whose zone is Denver's, open on Tuesdays from nine to eleven. */
async function makePage(testApp: TestApp) {
  const clinician = await makeClinician(testApp, {
    region: 'usa',
    currency: 'USD',
    places: [place],
  })
  const desk = await signInProviderCaller(testApp, clinician)
  await clinician.save([hours])
  const to = { placeId: clinician.placeId, timeZone: PHOENIX }
  return { clinician, desk, to }
}

const timesOn = (free: readonly string[]) =>
  free.filter((time) => time.startsWith(DAY)).map((time) => time.slice(11))

describeEngines('correcting the time zone of a place', (makeDatabase) => {
  test('hours mean the new clock, and booked visits keep their instant', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase('places') })
    const { clinician, desk, to } = await makePage(testApp)
    const { ctx, caller } = await makePatient(testApp)
    // Nine in Denver is eight in Phoenix.
    const startsAt = `${DAY}T15:00:00Z`
    const id = await bookVisit(ctx, { providerId: clinician.id, startsAt })
    const slot = { startsAt: `${DAY}T16:00:00Z` }
    const walkIn = await desk.booking.addDesk({
      kind: 'walk_in',
      name: 'Ida',
      placeId: to.placeId,
      slot,
    })
    expect(timesOn(await clinician.free(DAY))).toEqual(['15:30', '16:30'])

    const change = await desk.profiles.placeZone(to)
    expect(change).toMatchObject({ from: DENVER, to: PHOENIX, hours: true, importedTimes: 0 })
    expect(change.visits).toMatchObject([
      { id, startsAt: `${DAY}T15:00:00.000Z`, timeZone: DENVER, leavesHours: true },
      { id: walkIn.id, patient: 'Walk-in patient', leavesHours: false },
    ])
    // Reading it changes nothing.
    expect(timesOn(await clinician.free(DAY))).toEqual(['15:30', '16:30'])

    const unseen = desk.profiles.changePlaceZone({ ...to, confirmed: [id] })
    expect(await errorCodeOf(unseen)).toBe('changed_meanwhile')
    expect((await desk.profiles.own({})).places).toMatchObject([{ timeZone: DENVER }])

    const own = await desk.profiles.changePlaceZone({ ...to, confirmed: [id, walkIn.id] })
    expect(own.places).toMatchObject([{ timeZone: PHOENIX, codeTimeZone: PHOENIX }])
    expect(timesOn(await clinician.free(DAY))).toEqual(['16:30', '17:00', '17:30'])
    expect(await caller.booking.visit({ id })).toMatchObject({
      startsAt: `${DAY}T15:00:00.000Z`,
      timeZone: PHOENIX,
    })
    const { db } = testApp.database
    for (const table of ['bookings', 'desk_visits'] as const) {
      const rows = await db.selectFrom(table).select(['time_zone', 'wall_at', 'start_at']).execute()
      expect(rows.map((row) => [row.time_zone, row.start_at - row.wall_at])).toEqual([
        [PHOENIX, 7 * 3_600_000],
      ])
    }
    const audit = await db
      .selectFrom('audit')
      .select(['entity', 'details'])
      .where('action', '=', 'profile.place_zone_changed')
      .execute()
    expect(audit.map(({ entity }) => entity)).toEqual([clinician.id])
    expect(JSON.parse(audit[0]?.details ?? '')).toMatchObject({
      from: DENVER,
      to: PHOENIX,
      visits: 2,
    })
  })

  test('a visit that reads the same needs no word, and a past one keeps its zone', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { clinician, desk, to } = await makePage(testApp)
    const { ctx } = await makePatient(testApp)
    const past = { providerId: clinician.id, startsAt: `${DAY}T15:00:00Z` }
    const id = await bookVisit(ctx, past)
    testApp.advance(Date.parse(`${DAY}T20:00:00Z`) - testApp.services.now())
    // Boise's clock is Denver's.
    const next = { startsAt: '2026-03-24T15:00:00Z' }
    await desk.booking.addDesk({ kind: 'walk_in', name: 'Ida', placeId: to.placeId, slot: next })
    const boise = { ...to, timeZone: 'America/Boise' }
    expect((await desk.profiles.placeZone(boise)).visits).toEqual([])
    await desk.profiles.changePlaceZone({ ...boise, confirmed: [] })
    const { db } = testApp.database
    const [booked] = await db.selectFrom('bookings').select(['id', 'time_zone']).execute()
    expect(booked).toEqual({ id, time_zone: DENVER })
    const [entered] = await db.selectFrom('desk_visits').select('time_zone').execute()
    expect(entered).toEqual({ time_zone: 'America/Boise' })
  })

  test('another correction of the place leaves it, and another postcode sets its own', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase('places') })
    const { desk, to } = await makePage(testApp)
    await desk.profiles.changePlaceZone({ ...to, timeZone: 'America/Boise', confirmed: [] })
    const input = { placeId: to.placeId, hospital_name: 'Dam Clinic', address: '1 Dam Road' }
    const same = await desk.profiles.editPlace({ ...input, postcode: '86040' })
    expect(same.places).toMatchObject([
      { timeZone: 'America/Boise', codeTimeZone: PHOENIX, hospital_name: 'Dam Clinic' },
    ])
    const moved = await desk.profiles.editPlace({ ...input, postcode: '86515' })
    expect(moved.places).toMatchObject([{ timeZone: DENVER, codeTimeZone: DENVER }])
  })
})

test('only zones of the place’s own country are accepted', async () => {
  await using testApp = await makeTestApp()
  const { desk, to } = await makePage(testApp)
  for (const timeZone of ['Europe/London', 'America/Toronto', 'Mars/Olympus', '']) {
    expect(await errorCodeOf(desk.profiles.placeZone({ ...to, timeZone }))).toBe('invalid_input')
    const change = desk.profiles.changePlaceZone({ ...to, timeZone, confirmed: [] })
    expect(await errorCodeOf(change)).toBe('invalid_input')
  }
  const british = await makeClinician(testApp)
  const other = await signInProviderCaller(testApp, british)
  const there = { placeId: british.placeId, timeZone: 'America/New_York' }
  expect(await errorCodeOf(other.profiles.placeZone(there))).toBe('invalid_input')
  expect(await errorCodeOf(other.profiles.placeZone({ ...to, timeZone: 'Europe/London' }))).toBe(
    'not_found',
  )
})

test('outside calendars are read again, and imported appointments are counted', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { desk, to } = await makePage(testApp)
  outside.setBusy('2026-03-03T15:00/16:00')
  await desk.outsideCalendars.add({ name: 'Family', address: 'https://calendar.example/a.ics' })
  const rows = [{ line: 2, start: `${DAY} 09:00`, minutes: '30' }]
  await desk.imports.add({ importId: null, name: 'old.csv', dates: 'mdy', rows })
  expect(await desk.profiles.placeZone(to)).toMatchObject({ importedTimes: 1 })
  await desk.profiles.changePlaceZone({ ...to, confirmed: [] })
  testApp.advance(60_000)
  await readOutsideCalendars(testApp.services)
  const { known, view } = outside.reads[1] ?? {}
  expect([known?.etag, view?.timeZone]).toEqual([null, PHOENIX])
})
