import { expect, test } from 'vitest'
import { deletePlaceRules } from '#server/availability/hours/save-hours.ts'
import { leave } from '#server/payments/paying/close-payment.ts'
import { orderPlaces, setPlaceRemoved } from '#server/profiles/own-profile-store.ts'
import { makePatient, signInProviderCaller } from '#tests/harness/accounts.ts'
import { at, makeClinician } from '#tests/harness/clinician.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const PLAIN = { path: 'note', message: 'Use only letters, numbers and punctuation.' }
const TUESDAY = [{ weekday: 2, from: at('9:00'), to: at('17:00') }]

test('extra hours in another zone remove exactly the hours at the same time', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp, {
    region: 'usa',
    currency: 'USD',
    consultation_minutes: 60,
    places: [
      { postcode: '10001', time_zone: 'America/New_York' },
      { postcode: '85003', time_zone: 'America/Phoenix' },
    ],
  })
  await clinician.save(TUESDAY)
  const { places, version } = await clinician.mine()
  const patient = await makePatient(testApp)
  // 13:00 in New York, 11:00 in Phoenix.
  const { id } = await patient.caller.booking.hold({
    providerId: clinician.id,
    startsAt: '2026-03-03T18:00:00Z',
  })
  expect(id).toMatch(/^apt_/)
  const answer = await clinician.caller.availability.addDates({
    version,
    placeId: places[1]?.id ?? '',
    dates: ['2026-03-03'],
    from: at('9:00'),
    to: at('12:00'),
  })
  expect(answer.saved).toBe(true)
  const rows = await testApp.database.db
    .selectFrom('slots')
    .select(['start_at', 'place_no'])
    .where('provider_no', '=', clinician.no)
    .where('start_at', '<', Date.parse('2026-03-04T00:00:00Z'))
    .orderBy('start_at')
    .execute()
  const [newYork, phoenix] = clinician.placeNos
  expect(
    rows.map((row) => [new Date(row.start_at).toISOString().slice(11, 16), row.place_no]),
  ).toEqual([
    ['14:00', newYork],
    ['15:00', newYork],
    ['16:00', phoenix],
    ['17:00', phoenix],
    ['18:00', newYork],
    ['19:00', newYork],
    ['20:00', newYork],
    ['21:00', newYork],
  ])
})

describeEngines('times offered again', (makeDatabase) => {
  test.each([
    ['ends', '2026-03-11T09:20:00Z', '2026-03-11T09:00'],
    ['begins', '2026-03-09T02:20:00Z', '2026-03-09T03:00'],
  ])(
    'refilling that %s keeps a neighbouring visit and its buffer taken',
    async (_edge, startsAt, slot) => {
      await using testApp = await makeTestApp({ database: await makeDatabase() })
      const clinician = await makeClinician(testApp)
      await clinician.save(
        [1, 2, 3].map((weekday) => ({ weekday, from: 0, to: at('24:00') })),
        { bufferMinutes: 15 },
      )
      const { booking } = await signInProviderCaller(testApp, clinician)
      const add = (slotAt: string) =>
        booking.addDesk({ kind: 'walk_in', name: 'Ida Rowe', slot: { startsAt: slotAt } })
      await add(startsAt)
      // This cancellation refills fifteen hours on either side, from Monday 03:00 to Wednesday 09:15.
      const between = await add('2026-03-09T18:00:00Z')
      const later = await add('2026-03-10T17:45:00Z')
      for (const { id, sequence } of [between, later]) await booking.cancelDesk({ id, sequence })
      const free = await clinician.free(slot.slice(0, 10), 1)
      expect(free.length).toBeGreaterThan(10)
      expect(free).not.toContain(slot)
    },
  )
})

test('a visit at a removed place stays on its own day of the preview', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp, {
    region: 'usa',
    currency: 'USD',
    places: [
      { postcode: '94103', time_zone: 'America/Los_Angeles' },
      { postcode: '94103', time_zone: 'America/Los_Angeles' },
    ],
  })
  const [, second = ''] = (await clinician.mine()).places.map(({ id }) => id)
  // 17:30 in San Francisco is the next day in UTC.
  await clinician.save([{ weekday: 2, from: at('17:00'), to: at('18:00'), placeId: second }])
  const patient = await makePatient(testApp)
  const startsAt = '2026-03-04T01:30:00Z'
  await patient.caller.booking.hold({ providerId: clinician.id, startsAt })
  const [placeNo = 0, givenUp = 0] = clinician.placeNos
  const now = testApp.services.now()
  await testApp.database.transaction(async (db) => {
    await setPlaceRemoved(db, givenUp, now)
    await orderPlaces(db, clinician.no, [placeNo])
    await deletePlaceRules(db, { providerNo: clinician.no, placeNo: givenUp }, now)
  })
  const { days } = await clinician.caller.availability.preview({ from: '2026-03-03', days: 2 })
  expect(days.map(({ date, held }) => [date, held])).toEqual([
    ['2026-03-03', 1],
    ['2026-03-04', 0],
  ])
})

test('at the maximum number of dates one can still be changed', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(TUESDAY)
  const { placeId } = clinician
  const { availability } = clinician.caller
  const first = Date.parse('2026-03-07T00:00:00Z')
  const day = (n: number) => new Date(first + n * 86_400_000).toISOString().slice(0, 10)
  const hours = { from: at('18:00'), to: at('19:00'), placeId }
  for (let from = 0; from < 400; from += 50) {
    const dates = Array.from({ length: 50 }, (_, n) => day(from + n))
    await availability.addDates({ version: (await clinician.mine()).version, dates, ...hours })
  }
  const { version, extraDates } = await clinician.mine()
  const one = { version, dates: [day(401)], ...hours }
  await expect(availability.addDates(one)).rejects.toMatchObject({
    cause: { code: 'too_many_dates' },
  })
  const { saved } = await availability.addDates({ ...one, replaces: extraDates[0]?.id })
  expect(saved).toBe(true)
})

describeEngines('edge cases of hours', (makeDatabase) => {
  const begin = async () => makeTestApp({ database: await makeDatabase() })

  test('a time released at a removed place is not offered again', async () => {
    const testApp = await begin()
    // Free times without hours that produced them.
    const provider = await makeProvider(testApp, { places: [{}, { name: 'Canal Clinic' }] })
    const patient = await makePatient(testApp)
    const slot = { providerId: provider.id, startsAt: '2026-03-03T09:00:00Z' }
    const { id: holdId } = await patient.caller.booking.hold(slot)
    const [placeNo = 0, otherNo = 0] = provider.placeNos
    const now = testApp.services.now()
    await testApp.database.transaction(async (db) => {
      await setPlaceRemoved(db, placeNo, now)
      await orderPlaces(db, provider.no, [otherNo])
      await deletePlaceRules(db, { providerNo: provider.no, placeNo }, now)
    })
    await leave(patient.ctx, { holdId })
    expect(await testApp.database.db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
    const { days } = await testApp.caller().availability.freeTimes({ providerId: provider.id })
    expect(days).toEqual([])
    await expect(patient.caller.booking.hold(slot)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test.each(['Leave\u0000', 'Back\u202esoon', 'Line\u0007'])(
    'a note with hidden characters is refused in a sentence: %j',
    async (note) => {
      const testApp = await begin()
      const clinician = await makeClinician(testApp)
      await clinician.save(TUESDAY)
      const { version } = await clinician.mine()
      const { availability } = clinician.caller
      const away = { version, placeId: null, from: '2026-03-09', to: '2026-03-09', note }
      const plain = { cause: { issues: [PLAIN] } }
      await expect(availability.addAbsence(away)).rejects.toMatchObject(plain)
      const hours = { from: at('9:00'), to: at('12:00') }
      const extra = { version, placeId: clinician.placeId, dates: ['2026-03-07'], note, ...hours }
      await expect(availability.addDates(extra)).rejects.toMatchObject(plain)
    },
  )
})
