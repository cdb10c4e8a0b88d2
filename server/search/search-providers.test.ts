import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ErrorData } from '#contract/base/errors.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { at, makeClinician } from '#tests/harness/clinician.ts'
import { addPlaces, makeProvider } from '#tests/harness/people.ts'
import { openWithPlaces } from '#tests/harness/servers/empty-database.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const LONG = 'x'.repeat(10_000)
const HERE = { latitude: 51.5, longitude: -0.1 }
const MILLION = 1_000_000_000

const Failure = z.object({
  error: z.object({ data: z.extend(ErrorData, { httpStatus: z.number() }) }),
})
const Found = z.object({ result: z.object({ data: z.object({ total: z.int() }) }) })

let sharedApp: TestApp

beforeAll(async () => {
  sharedApp = await makeTestApp({ database: await openWithPlaces() })
  await makeProvider(sharedApp)
})

afterAll(() => sharedApp.database.close())

/** Over HTTP, each time from a different network: rate limits are not under test here. */
async function ask(path: string, input: string) {
  sharedApp.advance(60_000)
  const url = `http://localhost:3000/trpc/${path}?input=${encodeURIComponent(input)}`
  const response = await sharedApp.app.fetch(new Request(url))
  const body: unknown = await response.json()
  return { status: response.status, body }
}

async function codeOf(path: string, input: string): Promise<[number, string]> {
  const { status, body } = await ask(path, input)
  const failure = Failure.safeParse(body)
  return [status, failure.success ? failure.data.error.data.appCode : JSON.stringify(body)]
}

const refusals: [string, Record<string, unknown>, string][] = [
  ['a radius of -1', { radius: -1 }, 'radius_invalid'],
  ['a radius nobody offers', { radius: 7 }, 'radius_invalid'],
  ['a radius as text', { radius: '10' }, 'radius_invalid'],
  ['a radius that is no number', { radius: null }, 'radius_invalid'],
  ['latitude 91', { latitude: 91, longitude: 0 }, 'coordinates_invalid'],
  ['longitude -181', { latitude: 0, longitude: -181 }, 'coordinates_invalid'],
  ['half a point', { latitude: 51.5 }, 'coordinates_invalid'],
  ['a point that is no number', { latitude: null, longitude: null }, 'coordinates_invalid'],
  ['page 0', { ...HERE, page: 0 }, 'page_invalid'],
  ['page -1', { ...HERE, page: -1 }, 'page_invalid'],
  ['page abc', { ...HERE, page: 'abc' }, 'page_invalid'],
  ['page 1.5', { ...HERE, page: 1.5 }, 'page_invalid'],
  ['page 1e9', { ...HERE, page: MILLION }, 'page_invalid'],
  ['a fee of 0', { ...HERE, fee_max: 0 }, 'fee_invalid'],
  ['a fee with SQL', { ...HERE, fee_max: '1 or 1=1' }, 'fee_invalid'],
  ['an unknown order', { ...HERE, sort: 'password' }, 'sort_invalid'],
  ['an unknown specialty', { ...HERE, specialty: 'witch' }, 'specialty_unknown'],
  ['HTML as a specialty', { ...HERE, specialty: '<img onerror=1>' }, 'specialty_unknown'],
  ['an unknown region', { ...HERE, selectedRegion: 'mars' }, 'invalid_input'],
  ['an unknown language', { ...HERE, language: 'xx' }, 'invalid_input'],
  ['an unknown key', { ...HERE, is_admin: true }, 'unknown_field'],
  ['no place', {}, 'place_missing'],
  ['blanks for a place', { postcode: '   ' }, 'place_missing'],
  ['SQL for a place', { postcode: "' OR 1=1--" }, 'place_invalid'],
  ['a wildcard for a place', { postcode: '%' }, 'place_invalid'],
  ['another wildcard for a place', { postcode: '_' }, 'place_invalid'],
  ['HTML for a place', { postcode: '<script>alert(1)</script>' }, 'place_invalid'],
  ['10,000 characters for a place', { postcode: LONG }, 'place_invalid'],
  ['a postcode nobody has', { postcode: 'XX1 1XX' }, 'postcode_unknown'],
  ['a ZIP code nobody has', { postcode: '88888', selectedRegion: 'usa' }, 'postcode_unknown'],
  ['a town nobody knows', { postcode: 'Xyzzyville' }, 'place_unknown'],
  ['a forces postcode', { postcode: 'BFPO 1' }, 'postcode_without_place'],
  ['a military ZIP code', { postcode: '09012', selectedRegion: 'usa' }, 'postcode_military'],
  ['a ZIP code in the UK', { postcode: '78701' }, 'place_in_other_region'],
  [
    'a postcode in the USA',
    { postcode: 'SE1 6ET', selectedRegion: 'usa' },
    'place_in_other_region',
  ],
]

describe.each(['search.providers', 'search.map'])('%s', (path) => {
  test.each(refusals)('%s is refused with its own code', async (_, input, code) => {
    const [status, found] = await codeOf(path, JSON.stringify(input))
    expect(found).toBe(code)
    expect([400, 404]).toContain(status)
  })

  test.each(['1e308', '-1e308', 'NaN', 'Infinity', '1e999', '"∞"', '[]', '{}'])(
    'a radius of %s is refused',
    async (text) => {
      const [status, code] = await codeOf(path, `{"postcode":"SE1 6ET","radius":${text}}`)
      expect(status).toBe(400)
      expect(['radius_invalid', 'not_json']).toContain(code)
    },
  )

  test('a remote point finds nobody', async () => {
    for (const point of [
      { latitude: 90, longitude: 180 },
      { latitude: -90, longitude: -180 },
      { latitude: 0, longitude: 0 },
      { latitude: 52, longitude: 180 },
    ]) {
      const { status, body } = await ask(path, JSON.stringify({ ...point, radius: 50 }))
      expect(status).toBe(200)
      expect(Found.parse(body).result.data.total).toBe(0)
    }
  })

  test('every field refuses long, malicious or mistyped text', async () => {
    const fields = ['selectedRegion', 'postcode', 'specialty', 'radius', 'sort', 'page']
    const others = ['available', 'fee_max', 'language', 'gender', 'mode', 'latitude', 'longitude']
    const hostile = [LONG, "'; drop table slots;--", '<b>', '\u0000', '{{7*7}}', -0.5, {}, [], true]
    for (const field of [...fields, ...others, 'distance_filter_clicked']) {
      for (const value of hostile) {
        if (field === 'distance_filter_clicked' && value === true) continue
        const [status] = await codeOf(path, JSON.stringify({ ...HERE, [field]: value }))
        // A point needs no existing postcode, and half a degree is a valid coordinate.
        const isHarmless = field === 'postcode' || value === -0.5
        expect({ field, value, ok: status === 400 || (isHarmless && status === 200) }).toEqual({
          field,
          value,
          ok: true,
        })
      }
    }
  })
})

test('a page past the end is an empty list, not an error', async () => {
  const { status, body } = await ask('search.providers', JSON.stringify({ ...HERE, page: 10_000 }))
  expect(status).toBe(200)
  expect(body).toMatchObject({ result: { data: { total: 1, page: 10_000, results: [] } } })
})

test('suggestions never fail', async () => {
  for (const text of ["' OR 1=1--", '%', '_', '<b>', '🦷', '\u202E', 'SE1', 'Lond', '']) {
    const { status } = await ask('search.suggest', JSON.stringify({ text }))
    expect({ text, status }).toEqual({ text, status: 200 })
  }
  expect(await codeOf('search.suggest', JSON.stringify({ text: LONG }))).toEqual([
    400,
    'place_invalid',
  ])
})

test('malformed and unknown provider ids are refused alike', async () => {
  for (const id of ['1', LONG, "prv_' or 1=1", '../../etc/passwd']) {
    expect((await codeOf('search.provider', JSON.stringify({ id })))[0]).toBe(400)
  }
  const unknown = `prv_${'z'.repeat(26)}`
  expect(await codeOf('search.provider', JSON.stringify({ id: unknown }))).toEqual([
    404,
    'provider_not_found',
  ])
})

test('error messages contain the typed text', async () => {
  const typed = JSON.stringify({ postcode: '88888', selectedRegion: 'usa' })
  const { body } = await ask('search.providers', typed)
  expect(body).toMatchObject({
    error: { message: 'We can’t find the ZIP code “88888”. Check it and try again.' },
  })
})

const LEEDS = { name: 'Leeds Clinic', latitude: 53.7997, longitude: -1.5492, postcode: 'LS1 4AP' }

describeEngines('a provider with two places', (makeDatabase) => {
  const begin = async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    await addPlaces(testApp)
    const clinician = await makeClinician(testApp, { places: [LEEDS, {}] })
    const [leeds = '', london = ''] = (await clinician.mine()).places.map(({ id }) => id)
    await clinician.save([
      { weekday: 2, from: at('9:00'), to: at('10:00'), placeId: leeds },
      { weekday: 5, from: at('14:00'), to: at('15:00'), placeId: london },
    ])
    const search = async (more: { available?: '3' } = {}) => {
      await testApp.drainOutbox()
      const asked = {
        postcode: 'SE1 6ET',
        radius: 5 as const,
        distance_filter_clicked: true,
        ...more,
      }
      return (await testApp.caller().search.providers(asked)).results
    }
    const times = async () =>
      (await search()).map(({ nextFree, days }) => [
        nextFree,
        days.flatMap(({ slots }) => slots.map(({ startsAt }) => startsAt)),
      ])
    return { testApp, clinician, search, times }
  }

  test('is found at each place with its own times', async () => {
    const { clinician, search, times, testApp } = await begin()
    const [two, half, next, nextHalf] = [
      '2026-03-06T14:00:00.000Z',
      '2026-03-06T14:30:00.000Z',
      '2026-03-13T14:00:00.000Z',
      '2026-03-13T14:30:00.000Z',
    ]
    expect(await times()).toEqual([[two, [two, half, next, nextHalf]]])
    // On Tuesday they are in Leeds.
    expect(await search({ available: '3' })).toHaveLength(0)
    const patient = await makePatient(testApp)
    const hold = await patient.caller.booking.hold({ providerId: clinician.id, startsAt: two })
    expect(hold.place.name).toBe('Borough Practice')
    expect(await times()).toEqual([[half, [half, next, nextHalf]]])
    testApp.advance(5 * 86_400_000)
    expect((await times())[0]?.[0]).toBe(next)
  })

  test('shows no times of a place without hours', async () => {
    const { clinician, times } = await begin()
    const [leeds = ''] = (await clinician.mine()).places.map(({ id }) => id)
    await clinician.save([{ weekday: 2, from: at('9:00'), to: at('10:00'), placeId: leeds }])
    expect(await times()).toEqual([[null, []]])
  })

  test('shows on the profile at which place a time is', async () => {
    const { testApp, clinician } = await begin()
    const { days } = await testApp.caller().availability.freeTimes({ providerId: clinician.id })
    expect(days.slice(0, 2).map(({ date, slots }) => [date, slots[0]?.place])).toEqual([
      ['2026-03-03', 'Leeds Clinic'],
      ['2026-03-06', 'Borough Practice'],
    ])
  })

  test('links use the local time of the main place, which holds read', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    await addPlaces(testApp)
    const far = { ...LEEDS, time_zone: 'Europe/Lisbon' }
    const clinician = await makeClinician(testApp, { places: [far, { time_zone: 'Europe/Paris' }] })
    const [, near = ''] = (await clinician.mine()).places.map(({ id }) => id)
    await clinician.save([{ weekday: 5, from: at('14:00'), to: at('15:00'), placeId: near }])
    await testApp.drainOutbox()
    const { results } = await testApp.caller().search.providers({ postcode: 'SE1 6ET', radius: 5 })
    expect(results).toMatchObject([
      {
        isOneOfSeveral: true,
        mainZone: 'Europe/Lisbon',
        nextFree: '2026-03-06T13:00:00.000Z',
      },
    ])
    const patient = await makePatient(testApp)
    const slot = { providerId: clinician.id, date: '2026-03-06', time: '13:00' }
    const hold = await patient.caller.booking.hold(slot)
    expect([hold.startsAt, hold.timeZone]).toEqual(['2026-03-06T13:00:00.000Z', 'Europe/Paris'])
  })
})

test('a location becomes a postcode sector, and the point is not stored', async () => {
  await using testApp = await makeTestApp()
  await addPlaces(testApp)
  const here = { latitude: 51.498_123, longitude: -0.101_456 }
  const { data } = await new Browser(testApp).act('search.locate', here)
  expect(data).toEqual({ selectedRegion: 'uk', postcode: 'SE1 6' })
  const { db } = testApp.database
  const entries = await db.selectFrom('audit').selectAll().execute()
  const jobs = await db.selectFrom('outbox').selectAll().execute()
  expect(JSON.stringify([entries, jobs, testApp.logged])).not.toMatch(/498123|101456/)
})

test.each([
  ['far from both regions', { latitude: 48.857, longitude: 2.352 }, 'location_outside'],
  ['a point that is none', { latitude: 91, longitude: 0 }, 'coordinates_invalid'],
])('%s is refused', async (_, point, code) => {
  await using testApp = await makeTestApp()
  await addPlaces(testApp)
  expect((await new Browser(testApp).act('search.locate', point)).code).toBe(code)
})
