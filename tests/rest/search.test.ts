import { expect, test } from 'vitest'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { addPlaces, makeProvider } from '#tests/harness/people.ts'
import { Program, programOf, rowsOf } from '#tests/harness/servers/rest.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

async function makeTown(): Promise<{ testApp: TestApp; id: string; program: Program }> {
  const testApp = await makeTestApp()
  await addPlaces(testApp)
  const { id } = await makeProvider(testApp)
  return { testApp, id, program: new Program(testApp) }
}

const text: unknown = expect.any(String)

test('GET /api/test-search/ accepts the documented query and returns rows', async () => {
  const { testApp, id, program } = await makeTown()
  await using _ = testApp
  const answer = await program.send(
    'GET /api/test-search/?postcode=SE1%206ET&specialty=gp&radius=10&page=1&sort=distance' +
      '&captchaValue=&distance_filter_clicked=true&consentID=abc&selectedRegion=uk',
  )
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    status: true,
    message: '1 provider',
    total: 1,
    current_page: 1,
    total_pages: 1,
    radius: 10,
    widened: false,
  })
  expect(answer.body['data']).toMatchObject([
    {
      _id: id,
      name: 'Dr Amara Okafor',
      amount: text,
      currency: 'GBP',
      free_times: [{ date: '03/03/2026', time: text, starts_at: text }, {}, {}, {}, {}, {}, {}, {}],
    },
  ])
})

test('a search that finds nobody names the next radius that finds somebody, as the page shows it', async () => {
  const { testApp, program } = await makeTown()
  await using _ = testApp
  const near = async (radius: number) => {
    const around = 'latitude=51.6&longitude=-0.1&distance_filter_clicked=true'
    const { body } = await program.send(`GET /api/test-search/?${around}&radius=${radius}`)
    return [body['total'], body['next_radius']]
  }
  expect(await near(1)).toEqual([0, 10])
  expect(await near(10)).toEqual([1, undefined])
})

test('GET /api/map-view/ reads longitudea, and longitude, and rows have both', async () => {
  const { testApp, id, program } = await makeTown()
  await using _ = testApp
  for (const name of ['longitudea', 'longitude']) {
    const answer = await program.send(
      `GET /api/map-view/?postcode=SE1%206ET&radius=5&latitude=51.4965&${name}=-0.0985`,
    )
    expect(answer.body['status']).toBe(true)
    const [pin] = rowsOf(answer.body['data'])
    expect(pin?.['_id']).toBe(id)
    expect(pin?.['longitudea']).toBe(pin?.['longitude'])
  }
})

test('GET /api/get-speciality lists a region’s specialities, cacheable for a day', async () => {
  const { testApp, program } = await makeTown()
  await using _ = testApp
  const uk = await program.send('GET /api/get-speciality?selectedRegion=uk')
  expect(uk.headers.get('cache-control')).toBe('public, max-age=86400')
  expect(uk.body['data']).toContainEqual({ slug: 'gp', name: 'GP', plural: 'GPs', about: text })
  const tag = uk.headers.get('etag') ?? ''
  const again = await program.fetch('GET /api/get-speciality?selectedRegion=uk', {
    headers: { 'if-none-match': tag },
  })
  expect(again.status).toBe(304)
  const usa = await program.send('GET /api/get-speciality?selectedRegion=usa')
  expect(JSON.stringify(usa.body)).toContain('Family doctor')
})

test('GET /api/provider-details/{id}/ and /api/doctors/{id} return the doctor details', async () => {
  const { testApp, id, program } = await makeTown()
  await using _ = testApp
  const details = await program.send(`GET /api/provider-details/${id}/?selectedRegion=uk`)
  const doctor = await program.send(`GET /api/doctors/${id}`)
  expect(doctor.body).toEqual(details.body)
  expect(details.body['data']).toMatchObject({
    _id: id,
    profile_image: null,
    speciality: text,
    name: 'Dr Amara Okafor',
    qualifications: ['MBBS'],
    affiliations: [],
    hospital_details: [{ hospital_name: text, hospital_location: text }],
    consultationTime: 30,
    registed_with: { professional_body_name: 'GMC', membership_number: '7000001' },
    verification_status: 'Verified',
  })
  const usa = await program.send(`GET /api/provider-details/${id}/?selectedRegion=usa`)
  const nobody = await program.send(`GET /api/doctors/prv_${'1'.repeat(26)}`)
  const none = await program.send('GET /api/doctors/1%20OR%201')
  expect([usa.status, nobody.status, none.status]).toEqual([404, 404, 404])
})

test('an Unverified provider is visible only to themselves', async () => {
  const { testApp, program } = await makeTown()
  await using _ = testApp
  const { account, provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified' })
    .where('no', '=', provider.no)
    .execute()
  const path = `GET /api/provider-details/${provider.id}/`
  expect((await program.send(path)).status).toBe(404)
  const own = await programOf(testApp, account)
  expect((await own.send(path)).body['data']).toMatchObject({ verification_status: 'Unverified' })
  expect((await own.send(`${path}?selectedRegion=usa`)).status).toBe(404)
})

const POSTCODE = 'Enter a valid postcode.'
const TOO_LONG = 'Enter a valid postcode or ZIP code.'
const RADIUS = 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.'
const PAGE = 'Choose a page between 1 and 10,000.'

test.each([
  ["postcode=' OR 1=1--", POSTCODE],
  ['postcode=%', POSTCODE],
  ['postcode=_', POSTCODE],
  [`postcode=${'x'.repeat(10_000)}`, TOO_LONG],
  ['postcode=SE1 6ET&radius=-1', RADIUS],
  ['postcode=SE1 6ET&radius=NaN', RADIUS],
  ['postcode=SE1 6ET&radius=1e308', RADIUS],
  ['postcode=SE1 6ET&latitude=91&longitude=0', 'Choose a point on the map.'],
  ['postcode=SE1 6ET&page=0', PAGE],
  ['postcode=SE1 6ET&page=-1', PAGE],
  ['postcode=SE1 6ET&page=abc', PAGE],
  ['postcode=SE1 6ET&page=1e9', PAGE],
  ['postcode=SE1 6ET&sort=password', 'Choose one of the sort options.'],
  ['postcode=SE1 6ET&role=superuser', 'Unknown field.'],
  [
    'postcode=SE1 6ET&selectedRegion=france',
    'Check the field selectedRegion: send one of uk, usa.',
  ],
  ['postcode=SE1 6ET&postcode=SE1', 'Send this once.'],
])('47, 48, 49: %s', async (query, sentence) => {
  const { testApp, program } = await makeTown()
  await using _ = testApp
  const encoded = query
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=')
      return `${pair.slice(0, at)}=${encodeURIComponent(pair.slice(at + 1))}`
    })
    .join('&')
  const answer = await program.send(`GET /api/test-search/?${encoded}`)
  expect([answer.status, answer.body['error']]).toEqual([400, sentence])
})

test('49: a page past the end is empty', async () => {
  const { testApp, program } = await makeTown()
  await using _ = testApp
  const answer = await program.send('GET /api/test-search/?postcode=SE1%206ET&page=9999')
  expect([answer.status, answer.body['data']]).toEqual([200, []])
})

const MESSAGE = {
  first_name: 'Ada',
  last_name: 'Moss',
  email: 'ada@mail.example',
  message: 'Do you see children under five?',
}

test('POST /api/contact-us/ accepts a message; 46: line breaks in a name or an address are refused', async () => {
  const { testApp, program } = await makeTown()
  await using _ = testApp
  const sent = await program.send('POST /api/contact-us/', { body: MESSAGE })
  expect([sent.status, sent.body['status']]).toEqual([200, true])
  for (const field of ['first_name', 'email'] as const) {
    const body = { ...MESSAGE, [field]: `${MESSAGE[field]}\r\nBcc: all@mail.example` }
    expect((await program.send('POST /api/contact-us/', { body })).status).toBe(400)
  }
  const huge = await program.send('POST /api/contact-us/', {
    body: { ...MESSAGE, message: 'x'.repeat(11_000) },
  })
  expect(huge.status).toBe(413)
})
