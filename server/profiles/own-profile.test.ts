import { expect, test } from 'vitest'
import { Availability } from '#contract/availability.ts'
import { OwnProfile } from '#contract/profiles-own.ts'
import type { Database } from '#db/engine.ts'
import { makeAccount, makePatient, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { addPlaces } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, strangerDenials } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const NINE = '2026-03-03T09:00:00.000Z'
const practice = { hospital_name: 'Canal Clinic', address: '3 Lock Lane', postcode: 'se1 6et' }
const identity = {
  title: 'Dr',
  first_name: 'Amara',
  last_name: 'Okafor',
  specialty: 'gp',
  registed_with: { professional_body_name: 'GMC', membership_number: '7000001' },
}
const offer = {
  amount: 7_500,
  follow_amount: 5_000,
  consultation_minutes: 30,
  modes: ['in_person', 'video'],
  follow_up_policy: 'require_history',
  free_cancel_hours: 48,
  late_cancel_percent: 80,
}

/** A signed-in provider, and helpers that read their public profile. */
async function open(database?: Database) {
  const testApp = await makeTestApp(database === undefined ? {} : { database })
  await addPlaces(testApp)
  const { provider } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn({ email: provider.email, kind: 'provider' })
  const act = async (path: string, input: object) => {
    const answer = await browser.act(path, input)
    return { ...answer, profile: OwnProfile.safeParse(answer.data).data }
  }
  const shown = async () => {
    await testApp.drainOutbox()
    return testApp.caller().search.provider({ id: provider.id })
  }
  const found = async () => {
    await testApp.drainOutbox()
    return (await testApp.caller().search.providers({ postcode: 'SE1 6ET', radius: 5 })).results
  }
  return {
    testApp,
    provider,
    browser,
    act,
    shown,
    found,
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

test('a provider reads their own profile and what it still needs', async () => {
  await using own = await open()
  const { data } = await own.browser.ask('profiles.own')
  expect(data).toMatchObject({
    id: own.provider.id,
    shownName: 'Dr Amara Okafor',
    specialty: 'gp',
    amount: 6_000,
    verification_status: 'Verified',
    places: [{ hospital_name: 'Borough Practice', isMain: true, comingVisits: 0 }],
  })
  const { steps } = OwnProfile.parse(data)
  expect(steps.filter(({ isDone }) => !isDone).map(({ key }) => key)).toContain('photo')
})

test('a changed description is visible to patients at once', async () => {
  await using own = await open()
  const about = 'I see people of every age, and take the time that it needs to listen.'
  const { profile } = await own.act('profiles.updateAbout', {
    about,
    qualifications: ['MBBS', 'MRCGP'],
    languages: ['en', 'fr', 'en'],
  })
  expect(profile).toMatchObject({ about, languages: ['en', 'fr'], gender: null })
  expect(await own.shown()).toMatchObject({ about, qualifications: ['MBBS', 'MRCGP'] })
  const { issues } = await own.act('profiles.updateAbout', {
    about: 'Too short',
    qualifications: [''],
    languages: [],
  })
  expect(issues).toEqual([
    { path: 'about', message: 'Write at least 40 characters about how you work.' },
    { path: 'qualifications.0', message: 'Enter a qualification.' },
    { path: 'languages', message: 'Choose at least one language.' },
  ])
  expect(await own.shown()).toMatchObject({ about })
})

test('societies are visible to patients, stay when left out, and can be removed', async () => {
  await using own = await open()
  const rest = { about: 'I listen. '.repeat(5), qualifications: ['MBBS'], languages: ['en'] }
  const affiliations = ['British Medical Association', 'Royal Society of Medicine']
  const { profile } = await own.act('profiles.updateAbout', { ...rest, affiliations })
  expect(profile).toMatchObject({ affiliations })
  await own.act('profiles.updateAbout', rest)
  expect(await own.shown()).toMatchObject({ affiliations })
  const { issues } = await own.act('profiles.updateAbout', { ...rest, affiliations: [' '] })
  expect(issues).toEqual([{ path: 'affiliations.0', message: 'Enter a society.' }])
  await own.act('profiles.updateAbout', { ...rest, affiliations: [] })
  expect(await own.shown()).toMatchObject({ affiliations: [] })
})

test('a new fee applies to new bookings only', async () => {
  await using own = await open()
  const { caller } = await makePatient(own.testApp)
  const hold = await caller.booking.hold({ providerId: own.provider.id, startsAt: NINE })
  await own.act('profiles.updateOffer', offer)
  expect((await caller.booking.current({ holdId: hold.id })).fees.first_visit.minor).toBe(6_000)
  expect(await own.shown()).toMatchObject({
    fee: { minor: 7_500, currency: 'GBP' },
    modes: ['in_person', 'video'],
    cancellation: { freeHours: 48, latePercent: 80 },
  })
  expect((await own.found())[0]).toMatchObject({ fee: { minor: 7_500 } })
})

test.each([
  [{ amount: 0 }, 'amount', 'Enter a fee of at least 1.00.'],
  [{ modes: [] }, 'modes', 'Choose at least one way to see patients.'],
  [{ late_cancel_percent: 101 }, 'late_cancel_percent', 'Enter between 0 and 100 percent.'],
  [{ free_cancel_hours: -1 }, 'free_cancel_hours', 'Enter between 0 and 336 hours.'],
])('%o is refused beside its field, and nothing is saved', async (change, path, message) => {
  await using own = await open()
  const { issues } = await own.act('profiles.updateOffer', { ...offer, ...change })
  expect(issues).toEqual([{ path, message }])
  expect(await own.shown()).toMatchObject({ fee: { minor: 6_000 } })
})

test('a changed name or number has to be checked again, after a warning', async () => {
  await using own = await open()
  const renamed = { ...identity, last_name: 'Okafor-Bell' }
  const warned = await own.act('profiles.updateIdentity', renamed)
  expect([warned.status, warned.code]).toEqual([409, 'profile_needs_check'])
  expect(await own.found()).toHaveLength(1)
  const { profile } = await own.act('profiles.updateIdentity', { ...renamed, confirmed: true })
  expect(profile).toMatchObject({ verification_status: 'Unverified', verifiedAt: null })
  expect(await own.found()).toEqual([])
  expect((await own.browser.ask('search.preview')).data).toMatchObject({
    name: 'Dr Amara Okafor-Bell',
    registration: { checkedOn: null },
  })
  expect((await own.browser.ask('auth.me')).data).toMatchObject({ last_name: 'Okafor-Bell' })
})

test('a changed title, or no change, needs no check', async () => {
  await using own = await open()
  const { profile } = await own.act('profiles.updateIdentity', { ...identity, title: 'Prof' })
  expect(profile).toMatchObject({ title: 'Prof', verification_status: 'Verified' })
  expect(await own.found()).toHaveLength(1)
})

test('a register or title of the other region is refused beside its field', async () => {
  await using own = await open()
  const { issues } = await own.act('profiles.updateIdentity', {
    ...identity,
    title: 'Dr.',
    registed_with: { professional_body_name: 'NPI', membership_number: '1234567893' },
  })
  expect(issues.map(({ path }: { path: string }) => path)).toEqual([
    'registed_with.professional_body_name',
    'title',
  ])
})

test('a second place is shown, and can become the main one', async () => {
  await using own = await open()
  const { profile } = await own.act('profiles.addPlace', { ...practice, phone: '020 7946 0456' })
  expect(profile?.places.map((place) => [place.hospital_name, place.isMain])).toEqual([
    ['Borough Practice', true],
    ['Canal Clinic', false],
  ])
  const placeId = profile?.places[1]?.id
  await own.act('profiles.makeMainPlace', { placeId })
  expect((await own.shown()).places.map(({ name }) => name)).toEqual([
    'Canal Clinic',
    'Borough Practice',
  ])
  expect(await own.found()).toHaveLength(1)
})

test('an unknown postcode is refused beside its field', async () => {
  await using own = await open()
  const { issues } = await own.act('profiles.addPlace', { ...practice, postcode: 'ZZ9 9ZZ' })
  expect(issues).toEqual([
    { path: 'postcode', message: 'We can’t find the postcode “ZZ9 9ZZ”. Check it and try again.' },
  ])
})

test('somebody else’s place is not found', async () => {
  await using own = await open()
  const other = await makeProviderAccount(own.testApp)
  const foreign = await own.testApp.database.db
    .selectFrom('places')
    .select('id')
    .where('provider_no', '=', other.provider.no)
    .executeTakeFirstOrThrow()
  for (const placeId of [foreign.id, `plc_${'0'.repeat(26)}`]) {
    for (const [path, input] of [
      ['profiles.editPlace', { placeId, ...practice }],
      ['profiles.removePlace', { placeId, confirmed: true }],
      ['profiles.makeMainPlace', { placeId }],
    ] as const) {
      expect((await own.act(path, input)).status).toBe(404)
    }
  }
})

/** Sets hours every Wednesday morning at one place, without a notice period. */
async function setHours(own: Awaited<ReturnType<typeof open>>, placeId: string | undefined) {
  const settings = {
    noticeMinutes: 0,
    horizonDays: 7,
    bufferMinutes: 0,
    closedOnHolidays: false,
    rotation: { weeks: 1, from: '2026-03-02' },
  }
  const hours = [{ placeId, week: 1, weekday: 3, from: 540, to: 660 }]
  const { version } = Availability.parse((await own.browser.ask('availability.mine')).data)
  const answer = await own.browser.act('availability.saveHours', { version, settings, hours })
  expect(answer.status).toBe(200)
}

async function freeOn(own: Awaited<ReturnType<typeof open>>, from: string) {
  const times = await own.testApp
    .caller()
    .availability.freeTimes({ providerId: own.provider.id, from, days: 1 })
  return times.days.flatMap(({ slots }) => slots.map(({ startsAt }) => startsAt.slice(11, 16)))
}

test('a new visit length regenerates the free times', async () => {
  await using own = await open()
  const { places } = OwnProfile.parse((await own.browser.ask('profiles.own')).data)
  await setHours(own, places[0]?.id)
  expect(await freeOn(own, '2026-03-04')).toEqual(['09:00', '09:30', '10:00', '10:30'])
  await own.act('profiles.updateOffer', { ...offer, consultation_minutes: 40 })
  expect(await freeOn(own, '2026-03-04')).toEqual(['09:00', '09:40', '10:20'])
})

test('removing a place deletes its hours', async () => {
  await using own = await open()
  const { profile } = await own.act('profiles.addPlace', practice)
  await setHours(own, profile?.places[1]?.id)
  expect(await freeOn(own, '2026-03-04')).toHaveLength(4)
  await own.act('profiles.removePlace', { placeId: profile?.places[1]?.id })
  expect(await freeOn(own, '2026-03-04')).toEqual([])
  const mine = Availability.parse((await own.browser.ask('availability.mine')).data)
  expect([mine.places.length, mine.hours.length]).toEqual([1, 0])
})

describeEngines('places with visits', (makeDatabase) => {
  test('a place with visits cannot move, and is removed only after confirmation', async () => {
    await using own = await open(await makeDatabase())
    const { testApp } = own
    await testApp.database.db
      .insertInto('geo_uk_sectors')
      .values({
        sector: 'SE1 7',
        outcode: 'SE1',
        postcodes: 80,
        latitude: 51.5,
        longitude: -0.11,
      })
      .execute()
    const { ctx } = await makePatient(testApp)
    await bookVisit(ctx, { providerId: own.provider.id, startsAt: NINE })
    const { profile: before } = await own.act('profiles.addPlace', practice)
    const [main, second] = before?.places ?? []
    expect([main?.comingVisits, second?.comingVisits]).toEqual([1, 0])

    const move = { ...practice, postcode: 'SE1 7AA' }
    const moved = await own.act('profiles.editPlace', { placeId: main?.id, ...move })
    expect([moved.status, moved.code]).toEqual([409, 'place_in_use'])
    expect((await own.act('profiles.editPlace', { placeId: main?.id, ...practice })).status).toBe(
      200,
    )

    const asked = await own.act('profiles.removePlace', { placeId: main?.id })
    expect([asked.code, asked.message]).toEqual([
      'place_has_visits',
      '1 visit is booked here and will stay. Confirm to continue.',
    ])
    const left = await own.act('profiles.removePlace', { placeId: main?.id, confirmed: true })
    expect(left.profile?.places).toMatchObject([{ id: second?.id, isMain: true }])
    expect((await own.shown()).places).toHaveLength(1)
    expect(await own.found()).toHaveLength(1)
    const visits = await testApp.database.db.selectFrom('bookings').select('state').execute()
    expect(visits).toEqual([{ state: 'confirmed' }])

    const last = await own.act('profiles.removePlace', { placeId: second?.id, confirmed: true })
    expect([last.status, last.code]).toEqual([409, 'last_place'])
  })

  test('of two concurrent additions of a sixth place one is refused', async () => {
    await using own = await open(await makeDatabase())
    for (let n = 0; n < 4; n += 1) await own.act('profiles.addPlace', practice)
    const answers = await Promise.all([1, 2].map(() => own.act('profiles.addPlace', practice)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const { data } = await own.browser.ask('profiles.own')
    expect(OwnProfile.parse(data).places).toHaveLength(6)
  })
})

const details = {
  first_name: 'maya',
  last_name: 'ellis-okoro',
  phone_number: '+44 20 7946 0999',
  default_radius: 25,
}

test('a patient reads and changes their own details', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  expect((await browser.ask('profiles.details')).data).toEqual({
    first_name: 'Maya',
    last_name: 'Ellis',
    email: account.email,
    phone_number: '020 7946 0123',
    date_of_birth: '1988-04-17',
    profile_image: null,
    default_radius: 10,
  })
  const { data } = await browser.act('profiles.updateDetails', details)
  expect(data).toMatchObject({ first_name: 'Maya', last_name: 'Ellis-okoro', default_radius: 25 })
  expect((await browser.ask('auth.me')).data).toMatchObject({ default_radius: 25 })
  const late = await browser.act('profiles.updateDetails', {
    ...details,
    date_of_birth: '2030-01-01',
  })
  expect(late.issues).toEqual([
    { path: 'date_of_birth', message: 'Your date of birth must be in the past.' },
  ])
})

test('only patients have them, and every refusal is audited', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  expect((await browser.ask('profiles.details')).status).toBe(401)
  await browser.signIn(account)
  expect((await browser.ask('profiles.details')).status).toBe(403)
  const foreign = await browser.fetch('/trpc/auth.signOut', {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(foreign.status).toBe(403)
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['outcome', 'actor_kind', 'actor_id', 'entity', 'details', 'network'])
    .where('action', '=', 'call.denied')
    .orderBy('no')
    .execute()
  expect(rows).toEqual([
    {
      outcome: 'denied',
      network: '192.0.2.1',
      actor_kind: 'provider',
      actor_id: account.id,
      entity: 'profiles.details',
      details: '{"code":"patients_only"}',
    },
  ])
  const stranger = { network: '192.0.2.1', count: 1 }
  expect(await strangerDenials(testApp)).toEqual([
    { ...stranger, path: '/trpc/auth.signOut', code: 'foreign_origin' },
    { ...stranger, path: 'profiles.details', code: 'sign_in_required' },
  ])
})

test('a cookie choice is stored under its id and can be changed', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const consentID = '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d'
  expect((await browser.ask('profiles.consent', { consentID })).data).toBeNull()
  for (const statistics of [true, false]) {
    const choice = { consentID, preferences: true, statistics }
    expect((await browser.act('profiles.saveConsent', choice)).data).toEqual({ status: true })
    expect((await browser.ask('profiles.consent', { consentID })).data).toEqual({
      preferences: true,
      statistics,
    })
  }
  const long = await browser.ask('profiles.consent', { consentID: 'x'.repeat(81) })
  expect(long.status).toBe(400)
})
