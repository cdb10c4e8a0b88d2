import { beforeAll, expect, test } from 'vitest'
import type { Region } from '#contract/base/region.ts'
import type { Database } from '#db/engine.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { type FoundPlace, findNearestCode, findPlace, type PlaceAnswer } from './lookup.ts'
import { distanceKm, type Point } from './points.ts'

/** Nine of ten postcodes lie closer to the point of their sector than this. */
const SECTOR_ERROR_KM = 3.1

/** From the full table of postcodes, whose points are good to a metre or two. */
const postcodePoints: readonly [postcode: string, latitude: number, longitude: number][] = [
  ['SW1A 1AA', 51.501, -0.1416],
  ['EH1 1YZ', 55.9503, -3.193],
  ['M1 1AE', 53.4835, -2.2312],
  ['CF10 1EP', 51.4758, -3.1792],
  ['LS1 4AP', 53.7955, -1.5557],
  ['ZE1 0AA', 60.1532, -1.1416],
  ['TR21 0NW', 49.9244, -6.3003],
]

function pointOf(place: FoundPlace): Point {
  return { latitude: place.lat, longitude: place.lon }
}

describeEngines('finding a place', (makeDatabase) => {
  let database: Database

  beforeAll(async () => {
    database = await makeDatabase('places')
  })

  const find = (region: Region, text: string): Promise<PlaceAnswer> =>
    findPlace(database.db, region, text)

  async function found(region: Region, text: string): Promise<FoundPlace> {
    const answer = await find(region, text)
    if (answer.kind !== 'found') throw new Error(`${text}: ${JSON.stringify(answer)}`)
    return answer
  }

  test.each(postcodePoints)(
    '%s is found through its sector and its outcode',
    async (postcode, ...at) => {
      const [latitude, longitude] = at
      const whole = await found('uk', postcode)
      expect(whole).toMatchObject({
        label: postcode,
        level: 'sector',
        isApproximate: true,
        region: 'uk',
        timeZone: 'Europe/London',
      })
      expect(distanceKm(pointOf(whole), { latitude, longitude })).toBeLessThan(SECTOR_ERROR_KM)

      const sector = await found('uk', postcode.slice(0, -2))
      expect(sector).toEqual({ ...whole, label: postcode.slice(0, -2) })

      const outcode = postcode.slice(0, -4)
      const district = await found('uk', outcode)
      expect(district).toMatchObject({ label: outcode, level: 'outcode', isApproximate: true })
      expect(distanceKm(pointOf(district), { latitude, longitude })).toBeLessThan(SECTOR_ERROR_KM)

      const letters = outcode.replace(/\d.*/, '')
      expect(await found('uk', letters)).toMatchObject({ label: letters, level: 'area' })
    },
  )

  test('an imported postcode is found exactly, its neighbours by their sector', async () => {
    const unit = { postcode: 'SE16ET', latitude: 51.4978, longitude: -0.1036 }
    await database.db.insertInto('geo_uk_units').values(unit).execute()
    expect(await found('uk', 'SE1 6ET')).toEqual({
      kind: 'found',
      label: 'SE1 6ET',
      lat: 51.4978,
      lon: -0.1036,
      level: 'unit',
      isApproximate: false,
      region: 'uk',
      timeZone: 'Europe/London',
    })
    expect(await found('uk', 'SE1 6EU')).toMatchObject({ label: 'SE1 6EU', level: 'sector' })
  })

  test('a postcode is found by the finest part of it that exists', async () => {
    expect(await found('uk', 'SW1A 2AA')).toMatchObject({ label: 'SW1A 2AA', level: 'sector' })
    expect(await found('uk', 'SW1A 9ZZ')).toMatchObject({ label: 'SW1A 9ZZ', level: 'outcode' })
    expect(await found('uk', 'EC1')).toMatchObject({ label: 'EC1', level: 'area' })
    expect(await found('uk', 'W1')).toMatchObject({ label: 'W1', level: 'area' })
    expect(await found('uk', 'SW')).toMatchObject({ label: 'SW', level: 'area' })
    expect(await found('uk', 'e')).toMatchObject({ label: 'E', level: 'area' })
  })

  test('the point of a prefix lies among its outcodes', async () => {
    const west = await found('uk', 'W1')
    for (const outcode of ['W1B', 'W1G', 'W1J', 'W1T']) {
      expect(distanceKm(pointOf(west), pointOf(await found('uk', outcode)))).toBeLessThan(2)
    }
  })

  test.each([
    ['SE1', 'SE1', 'outcode'],
    ['SE 1', 'SE1', 'outcode'],
    ['SE1 6', 'SE1 6', 'sector'],
    ['SE1 6E', 'SE1 6', 'sector'],
    ['SE16E', 'SE1 6', 'sector'],
    ['SE16', 'SE16', 'outcode'],
    ['M11', 'M11', 'outcode'],
    ['M1 1', 'M1 1', 'sector'],
    ['M11A', 'M1 1', 'sector'],
    ['W1A', 'W1A', 'outcode'],
  ])('the partly typed %s is read as %s', async (text, label, level) => {
    expect(await found('uk', text)).toMatchObject({ label, level })
  })

  test.each([
    'sw1a 1aa',
    'SW1A1AA',
    ' Sw1a  1aA ',
    's w1 a1 aa',
    'SW 1A 1AA',
    'ＳＷ１Ａ　１ＡＡ',
    'SW1A\u00a01AA',
    '10 Downing Street, London SW1A 1AA',
    'Buckingham Palace, London, sw1a1aa',
  ])('%j is the postcode SW1A 1AA', async (text) => {
    expect(await find('uk', text)).toEqual(await find('uk', 'SW1A 1AA'))
  })

  test.each(['BFPO 57', 'bfpo', 'BF1 0AX', 'GIR 0AA', 'gir0aa', 'BX1 1LT', 'ZZ99 3WZ'])(
    '%s has no location',
    async (text) => {
      expect(await find('uk', text)).toEqual({ kind: 'no_place', code: text.toUpperCase() })
    },
  )

  test('codes of Northern Ireland without a location suggest Belfast', async () => {
    const belfast = { near: 'Belfast' }
    expect(await find('uk', 'BT99 1AA')).toEqual({ kind: 'no_place', code: 'BT99 1AA', ...belfast })
    expect(await find('uk', 'bt58 4aa')).toEqual({
      kind: 'unknown_code',
      code: 'BT58 4AA',
      ...belfast,
    })
    expect(await found('uk', 'Belfast')).toMatchObject({ level: 'place' })
  })

  test('a code located by its town names that town', async () => {
    expect(await found('uk', 'BT9 5AA')).toMatchObject({ standsIn: 'Belfast' })
    expect(await found('uk', 'BT25 1AA')).toMatchObject({ standsIn: 'Hillsborough' })
    expect(await found('uk', 'IM1')).toMatchObject({ standsIn: 'Douglas' })
    expect(await found('uk', 'SE1 6ET')).not.toHaveProperty('standsIn')
  })

  test('a place is not mistaken for a code without one', async () => {
    expect(await found('uk', 'Girvan')).toMatchObject({ label: 'Girvan', level: 'place' })
    expect(await found('uk', 'BT9 9AB')).toMatchObject({ label: 'BT9 9AB', level: 'outcode' })
    expect(await found('uk', 'BT9 9')).toMatchObject({ level: 'outcode' })
  })

  test.each([
    ['BT1 5GS', 54.597, -5.93],
    ['BT7', 54.597, -5.93],
    ['BT74 4AA', 54.345, -7.64],
    ['BT48 6AA', 54.998, -7.31],
    ['JE2 3AB', 49.187, -2.107],
    ['GY1 1AA', 49.455, -2.537],
    ['IM1 1AA', 54.15, -4.482],
  ])('%s is found by its outcode, in London time', async (text, latitude, longitude) => {
    const place = await found('uk', text)
    expect(place).toMatchObject({ level: 'outcode', timeZone: 'Europe/London' })
    expect(distanceKm(pointOf(place), { latitude, longitude })).toBeLessThan(5)
  })

  test('the islands are found by their names', async () => {
    expect(await found('uk', 'Jersey')).toMatchObject({ label: 'Jersey', level: 'area' })
    expect(await found('uk', 'guernsey')).toMatchObject({ label: 'Guernsey', level: 'area' })
    expect(await found('uk', 'isle of man')).toMatchObject({ label: 'Isle of Man', level: 'area' })
  })

  test.each([
    ['78701', 'zip', 'America/Chicago'],
    ['78701-1234', 'zip', 'America/Chicago'],
    ['78701 1234', 'zip', 'America/Chicago'],
    ['787011234', 'zip', 'America/Chicago'],
    ['Austin, TX 78701', 'zip', 'America/Chicago'],
    ['７８７０１', 'zip', 'America/Chicago'],
    ['787', 'area', 'America/Chicago'],
    ['7870', 'area', 'America/Chicago'],
  ])('%s lies in the middle of Austin', async (text, level, timeZone) => {
    const place = await found('usa', text)
    expect(place).toMatchObject({ level, timeZone, region: 'usa' })
    expect(distanceKm(pointOf(place), { latitude: 30.271, longitude: -97.743 })).toBeLessThan(10)
  })

  test('a ZIP code keeps its leading zeros', async () => {
    expect(await found('usa', '00501')).toMatchObject({ label: '00501', level: 'zip' })
    expect(await found('usa', '01001')).toMatchObject({ label: '01001', level: 'zip' })
    expect(await find('usa', '501')).not.toMatchObject({ label: '00501' })
    expect(await find('usa', '1001')).not.toMatchObject({ label: '01001' })
  })

  test('the point of a Census area is exact, that of a post office approximate', async () => {
    expect(await found('usa', '85003')).toMatchObject({ isApproximate: false })
    expect(await found('usa', '00501')).toMatchObject({ isApproximate: true })
    expect(await found('usa', '850')).toMatchObject({ isApproximate: true })
  })

  test.each([
    ['00901', 'America/Puerto_Rico', 18.466, -66.107],
    ['00802', 'America/St_Thomas', 18.344, -64.92],
    ['96910', 'Pacific/Guam', 13.45, 144.75],
    ['85003', 'America/Phoenix', 33.451, -112.078],
    ['99501', 'America/Anchorage', 61.217, -149.86],
    ['96813', 'Pacific/Honolulu', 21.317, -157.845],
    ['83702', 'America/Boise', 43.66, -116.16],
  ])('%s keeps %s', async (zip, timeZone, latitude, longitude) => {
    const place = await found('usa', zip)
    expect(place.timeZone).toBe(timeZone)
    expect(distanceKm(pointOf(place), { latitude, longitude })).toBeLessThan(5)
  })

  test.each([
    ['Page, AZ', 'America/Phoenix'],
    ['Yuma, AZ', 'America/Phoenix'],
    ['Tuba City, AZ', 'America/Denver'],
    ['Ferdinand, IN', 'America/Indiana/Vincennes'],
    ['Rockwood, TN', 'America/New_York'],
    ['Cottonwood, ID', 'America/Los_Angeles'],
    ['West Wendover, NV', 'America/Denver'],
    ['Crystal Falls, MI', 'America/Menominee'],
    ['Lakin, KS', 'America/Chicago'],
    ['Spring City, TN', 'America/New_York'],
    // Those of most codes that begin so: the middle of 860 is on Navajo land.
    ['860', 'America/Phoenix'],
    ['865', 'America/Denver'],
    ['378', 'America/New_York'],
    ['8652', 'America/Denver'],
  ])('%s has the clock of %s', async (text, timeZone) => {
    expect(await found('usa', text)).toMatchObject({ timeZone })
  })

  test.each([
    ['99565', 'Chignik Lagoon', 56.306, -158.53],
    ['99505', 'the base outside Anchorage', 61.26, -149.69],
  ])(
    '%s, %s is at the Census point, not at the distant other one',
    async (zip, _, latitude, longitude) => {
      const place = await found('usa', zip)
      expect(distanceKm(pointOf(place), { latitude, longitude })).toBeLessThan(10)
    },
  )

  test.each([
    ['99503', 'Anchorage'],
    ['99519', 'Anchorage'],
    ['99695', 'Anchorage'],
    ['99701', 'Fairbanks'],
    ['99706', 'Fairbanks'],
    ['99574', 'Cordova'],
    ['99635', 'Nikiski'],
  ])('%s is at %s although the Census point is far off', async (zip, town) => {
    const place = await found('usa', zip)
    expect(place).toMatchObject({ level: 'zip', isApproximate: true })
    expect(distanceKm(pointOf(place), pointOf(await found('usa', `${town}, AK`)))).toBeLessThan(30)
  })

  test.each(['09012', '96201', '34002', '340', '09012-1234'])('%s is military', async (text) => {
    const code = text.slice(0, 5)
    expect(await find('usa', text)).toEqual({ kind: 'military', code })
    expect(await find('uk', text)).toEqual({ kind: 'military', code })
  })

  test.each([
    ['usa', '88888', '88888'],
    ['usa', '00000', '00000'],
    ['usa', '000', '000'],
    ['uk', '88888', '88888'],
    ['uk', 'qq1 1aa', 'QQ1 1AA'],
    ['uk', 'QQ11AA', 'QQ1 1AA'],
    ['uk', 'qq1', 'QQ1'],
    ['uk', 'QQ1 1a', 'QQ1 1A'],
    ['usa', 'QQ1', 'QQ1'],
  ] as const)('in the %s %s is unknown as %s', async (region, text, code) => {
    expect(await find(region, text)).toEqual({ kind: 'unknown_code', code })
  })

  test('a place in the other region is named, with its region', async () => {
    const other = (label: string, region: Region) => ({ kind: 'other_region', label, region })
    expect(await find('uk', '78701-1234')).toEqual(other('78701', 'usa'))
    expect(await find('usa', 'se1 6')).toEqual(other('SE1 6', 'uk'))
    expect(await find('usa', 'BT1 5GS')).toEqual(other('BT1 5GS', 'uk'))
    expect(await find('uk', 'Austin TX')).toEqual(other('Austin, TX', 'usa'))
    expect(await find('usa', 'Hackney')).toEqual(other('Hackney', 'uk'))
    expect(await find('usa', 'London, UK')).toEqual(other('London', 'uk'))
    expect(await find('usa', 'Jersey, UK')).toEqual(other('Jersey', 'uk'))
    expect(await find('uk', 'Boston, USA')).toEqual(other('Boston, MA', 'usa'))
  })
})

describeEngines('the code nearest to a point', (makeDatabase) => {
  let database: Database

  beforeAll(async () => {
    database = await makeDatabase('places')
  })

  test.each([
    ['Elephant and Castle', 51.495, -0.1005, 'uk', /^SE1 6$/],
    ['Inverness', 57.478, -4.224, 'uk', /^IV\d+ \d$/],
    ['Belfast, of which only outcodes are known', 54.597, -5.93, 'uk', /^BT\d+$/],
    ['St Helier', 49.184, -2.107, 'uk', /^JE\d$/],
    ['Austin', 30.27, -97.74, 'usa', /^787\d\d$/],
    ['Anchorage', 61.218, -149.9, 'usa', /^995\d\d$/],
    ['Honolulu', 21.307, -157.858, 'usa', /^968\d\d$/],
  ] as const)('%s', async (_, latitude, longitude, region, code) => {
    const nearest = await findNearestCode(database.db, { latitude, longitude })
    expect(nearest?.region).toBe(region)
    expect(nearest?.code).toMatch(code)
    expect(await findPlace(database.db, region, nearest?.code ?? '')).toMatchObject({
      kind: 'found',
    })
  })

  test.each([
    ['Paris', 48.857, 2.352],
    ['Dublin', 53.35, -6.26],
    ['Calais', 50.951, 1.858],
    ['the middle of the Atlantic', 45, -40],
    ['the North Pole', 90, 0],
    ['the South Pole', -90, 180],
  ])('there is no code near %s', async (_, latitude, longitude) => {
    expect(await findNearestCode(database.db, { latitude, longitude })).toBeNull()
  })
})
