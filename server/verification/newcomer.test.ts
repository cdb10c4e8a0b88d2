import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { RegisterResponse } from '#contract/auth.ts'
import { Availability } from '#contract/availability.ts'
import { DEMO_REGISTRANT } from '#contract/verification.ts'
import { makePatient, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { at } from '#tests/harness/clinician.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { addProof, setRegister } from '#tests/harness/verification.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const EMAIL = 'alex@clinic.example'
const registration = {
  professional_body_name: 'NPI',
  membership_number: DEMO_REGISTRANT.numbers.NPI,
}

const practice = {
  first_name: DEMO_REGISTRANT.first_name,
  last_name: DEMO_REGISTRANT.last_name,
  email: EMAIL,
  phone_number: '212 555 0123',
  password: PASSWORD,
  region: 'usa',
  registed_with: registration,
  specialty: 'gp',
  qualifications: ['MD'],
  hospital_name: 'Chelsea Family Medicine',
  address: '200 West 30th Street',
  postcode: '10001',
  amount: 15_000,
  follow_amount: 9_000,
  consultation_minutes: 30,
  languages: ['en'],
  about: 'I have been a family doctor in Manhattan for fourteen years.',
  terms: true,
}

/** Adds New York, and an NPI registry list that contains the newcomer, in capitals as NPPES writes names. */
async function newYork(testApp: TestApp): Promise<void> {
  await testApp.database.db
    .insertInto('geo_us_zips')
    .values({
      zip: '10001',
      latitude: 40.7506,
      longitude: -73.9972,
      city: 'New York',
      state: 'NY',
      time_zone: 'America/New_York',
      kind: 'zcta',
    })
    .execute()
  const name = `${practice.first_name} ${practice.last_name}`.toUpperCase()
  const entry = { number: registration.membership_number, name, status: 'Active' }
  await setRegister(testApp, 'NPI', [entry])
}

async function register(testApp: TestApp): Promise<Browser> {
  const browser = new Browser(testApp, '192.0.2.9')
  const { data } = await browser.act('profiles.registerProvider', practice)
  const { auth_token } = RegisterResponse.parse(data)
  const otp = codeIn(await lastMailTo(testApp, EMAIL))
  expect((await browser.act('auth.confirmEmail', { auth_token, otp })).status).toBe(200)
  return browser
}

async function verify(testApp: TestApp, providerId: string): Promise<void> {
  await addProof(testApp, providerId)
  const staff = await signInDemoStaff(testApp, 'admin')
  const input = { providerId, seen: 'waiting', verification_status: 'Verified' }
  expect((await staff.act('verification.decide', input)).status).toBe(200)
}

/** Search results in New York, with the next free time. */
async function found(testApp: TestApp) {
  await testApp.drainOutbox()
  const { results } = await testApp
    .caller()
    .search.providers({ selectedRegion: 'usa', postcode: '10001', specialty: 'gp', radius: 1 })
  return results.map(({ id, nextFree, place }) => ({ id, nextFree, zone: place.timeZone }))
}

/** Every other week, Monday to Friday, eight to five with an hour for lunch. */
function alternateWeeks({ version, settings, places }: Availability) {
  const placeId = places[0]?.id ?? ''
  const halves = [
    { from: at('8:00'), to: at('12:00') },
    { from: at('13:00'), to: at('17:00') },
  ]
  return {
    version,
    settings: { ...settings, rotation: { weeks: 2, from: '2026-03-02' } },
    hours: [1, 2, 3, 4, 5].flatMap((weekday) =>
      halves.map((half) => ({ placeId, week: 1, weekday, ...half })),
    ),
  }
}

const Saved = z.object({ saved: z.boolean(), conflicts: z.array(z.object({ id: z.string() })) })

describeEngines('a new doctor in the USA', (makeDatabase) => {
  test('registers, is verified, takes a booked week off, and is found with the next free time', async () => {
    const gateways = makeFakeGateways()
    await using testApp = await makeTestApp({ database: await makeDatabase(), gateways })
    await newYork(testApp)
    const doctor = await register(testApp)
    const compared = await doctor.act('verification.lookUpMine', registration)
    expect(compared.data).toMatchObject({ check: { outcome: 'match' }, state: 'waiting' })
    const mine = Availability.parse((await doctor.ask('availability.mine')).data)
    const saved = await doctor.act('availability.saveHours', alternateWeeks(mine))
    expect(saved.data).toMatchObject({ saved: true, mine: { version: 1 } })
    expect(await found(testApp)).toEqual([])

    const { id } = z.object({ id: z.string() }).parse((await doctor.ask('profiles.own')).data)
    await verify(testApp, id)
    // Four in the morning on a Monday in New York, which is five hours behind London.
    const zone = 'America/New_York'
    expect(await found(testApp)).toEqual([{ id, nextFree: '2026-03-02T13:00:00.000Z', zone }])
    expect((await lastMailTo(testApp, EMAIL)).subject).toBe('You are verified')

    const { ctx } = await makePatient(testApp)
    // The last hour before lunch; between twelve and one there is nothing to book.
    const visit = await bookVisit(ctx, { providerId: id, startsAt: '2026-03-04T16:30:00Z' })
    await expect(
      bookVisit(ctx, { providerId: id, startsAt: '2026-03-04T17:00:00Z' }),
    ).rejects.toThrow('That time is not offered.')
    const week = { version: 1, placeId: null, from: '2026-03-02', to: '2026-03-08' }
    const asked = Saved.parse((await doctor.act('availability.addAbsence', week)).data)
    expect(asked).toEqual({ saved: false, conflicts: [{ id: visit }] })
    const sure = { ...week, confirmed: [visit] }
    const taken = Saved.parse((await doctor.act('availability.addAbsence', sure)).data)
    expect(taken).toEqual({ saved: true, conflicts: [{ id: visit }] })
    // The week after has no hours, and by the one after that New York has daylight saving time.
    expect(await found(testApp)).toEqual([{ id, nextFree: '2026-03-16T12:00:00.000Z', zone }])
    const [booked] = await testApp.database.db.selectFrom('bookings').select('state').execute()
    expect(booked).toEqual({ state: 'confirmed' })
  })
})
