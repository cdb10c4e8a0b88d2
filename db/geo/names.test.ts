import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Region } from '#contract/base/region.ts'
import type { Database } from '#db/engine.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { findPlace, type PlaceAnswer } from './lookup.ts'
import { distanceKm, type Point } from './points.ts'

/** Distance of a found place from a point; infinite for any other result. */
function kmTo(answer: PlaceAnswer, point: Point): number {
  if (answer.kind !== 'found') return Number.POSITIVE_INFINITY
  return distanceKm({ latitude: answer.lat, longitude: answer.lon }, point)
}

const pointOf = ({ lat, lon }: { lat: number; lon: number }): Point => ({
  latitude: lat,
  longitude: lon,
})

describeEngines('finding a place by its name', (makeDatabase) => {
  let database: Database

  beforeAll(async () => {
    database = await makeDatabase('places')
  })

  const find = (region: Region, text: string): Promise<PlaceAnswer> =>
    findPlace(database.db, region, text)

  test.each([
    ['uk', 'Leeds', 'Leeds', 53.8, -1.55],
    ['uk', 'London', 'London', 51.51, -0.13],
    ['uk', 'london uk', 'London', 51.51, -0.13],
    ['uk', 'Hackney', 'Hackney', 51.55, -0.05],
    ['uk', 'ENNISKILLEN', 'Enniskillen', 54.35, -7.64],
    ['uk', 'Londonderry', 'Derry', 55, -7.31],
    ['uk', 'Derry/Londonderry', 'Derry', 55, -7.31],
    ['uk', 'Londonderry / Derry', 'Derry', 55, -7.31],
    ['uk', 'Caerdydd', 'Cardiff', 51.48, -3.18],
    ['uk', 'Caerdydd / Cardiff', 'Cardiff', 51.48, -3.18],
    ['uk', 'Abertawe', 'Swansea', 51.62, -3.94],
    ['uk', 'abertawe, Cymru', 'Swansea', 51.62, -3.94],
    ['uk', 'Ynys Môn', 'Llangefni', 53.26, -4.31],
    ['uk', 'Isle of Anglesey', 'Llangefni', 53.26, -4.31],
    ['uk', 'Y Gelli Gandryll', 'Hay-on-Wye', 52.07, -3.13],
    ['uk', 'Llundain', 'London', 51.51, -0.13],
    ['uk', 'Béal Feirste', 'Belfast', 54.6, -5.93],
    ['uk', 'Dùn Èideann', 'Edinburgh', 55.95, -3.2],
    ['usa', 'La Cañada', 'La Cañada Flintridge, CA', 34.2, -118.19],
    ['usa', 'La Canada, CA', 'La Cañada Flintridge, CA', 34.2, -118.19],
    ['usa', 'Nueva York', 'New York City, NY', 40.71, -74.01],
    ['uk', 'Hull', 'Kingston upon Hull', 53.75, -0.34],
    ['uk', 'newcastle upon tyne', 'Newcastle upon Tyne', 54.97, -1.61],
    ['uk', 'Newcastle-upon-Tyne', 'Newcastle upon Tyne', 54.97, -1.61],
    ['uk', 'Newcastle', 'Newcastle upon Tyne', 54.97, -1.61],
    ['uk', 'Newcastle, Northern Ireland', 'Newcastle, Northern Ireland', 54.22, -5.89],
    ['uk', 'kings lynn', "King's Lynn", 52.75, 0.4],
    ['uk', 'St Albans', 'St Albans', 51.75, -0.33],
    ['uk', 'saint albans', 'St Albans', 51.75, -0.33],
    ['uk', 'St. Albans', 'St Albans', 51.75, -0.33],
    ['usa', 'Austin TX', 'Austin, TX', 30.27, -97.74],
    ['usa', 'Austin, TX', 'Austin, TX', 30.27, -97.74],
    ['usa', 'austin,texas', 'Austin, TX', 30.27, -97.74],
    ['usa', 'Austin, TX, USA', 'Austin, TX', 30.27, -97.74],
    ['usa', 'Austin,', 'Austin, TX', 30.27, -97.74],
    ['usa', 'Saint Louis', 'St. Louis, MO', 38.63, -90.2],
    ['usa', 'st louis missouri', 'St. Louis, MO', 38.63, -90.2],
    ['usa', 'Ft. Worth', 'Fort Worth, TX', 32.73, -97.32],
    ['usa', 'Mt Vernon, NY', 'Mount Vernon, NY', 40.91, -73.84],
    ['usa', 'Charleston West Virginia', 'Charleston, WV', 38.35, -81.63],
    ['usa', 'NYC', 'New York City, NY', 40.71, -74.01],
    ['usa', 'New York', 'New York City, NY', 40.71, -74.01],
    ['usa', 'LA', 'Los Angeles, CA', 34.05, -118.24],
    ['usa', 'DC', 'Washington, DC', 38.9, -77.04],
    ['usa', 'Washington DC', 'Washington, DC', 38.9, -77.04],
    ['usa', 'Washington, D.C.', 'Washington, DC', 38.9, -77.04],
    ['usa', 'Mayaguez PR', 'Mayagüez, PR', 18.2, -67.14],
    ['usa', 'MAYAGÜEZ', 'Mayagüez, PR', 18.2, -67.14],
    ['usa', 'Aiea', '‘Aiea, HI', 21.38, -157.93],
    ['usa', 'ʻAiea', '‘Aiea, HI', 21.38, -157.93],
    ['usa', '‘Aiea, HI', '‘Aiea, HI', 21.38, -157.93],
    ['usa', 'London', 'London, OH', 39.89, -83.45],
  ] as const)('in the %s %j is %s', async (region, text, label, lat, lon) => {
    const answer = await find(region, text)
    expect(answer).toMatchObject({ kind: 'found', label, region, level: 'place' })
    expect(answer).toMatchObject({ isApproximate: true })
    expect(kmTo(answer, { latitude: lat, longitude: lon })).toBeLessThan(5)
  })

  test.each([
    ['Newport', 'Newport', 51.588, -2.998],
    ['Newport, Wales', 'Newport', 51.588, -2.998],
    ['Newport Wales', 'Newport', 51.588, -2.998],
    ['Newport, Gwent', 'Newport', 51.588, -2.998],
    ['Newport, Isle of Wight', 'Newport, England', 50.701, -1.291],
    ['Newport, IOW', 'Newport, England', 50.701, -1.291],
    ['Newport, England', 'Newport, England', 50.701, -1.291],
    ['Newport, Shropshire', 'Newport, TF10', 52.767, -2.377],
    ['Newport TF10', 'Newport, TF10', 52.767, -2.377],
    ['Newport, TF10', 'Newport, TF10', 52.767, -2.377],
    ['Newport, Pembrokeshire', 'Newport, SA42', 52.017, -4.831],
  ])('of the Newports %s is %s', async (text, label, latitude, longitude) => {
    const answer = await find('uk', text)
    expect(answer).toMatchObject({ kind: 'found', label })
    expect(kmTo(answer, { latitude, longitude })).toBeLessThan(5)
  })

  test('of the Springfields the largest is found, labelled with its state', async () => {
    const label = async (text: string) => find('usa', text)
    expect(await label('Springfield')).toMatchObject({ label: 'Springfield, MO' })
    expect(await label('Springfield, IL')).toMatchObject({ label: 'Springfield, IL' })
    expect(await label('Springfield Illinois')).toMatchObject({ label: 'Springfield, IL' })
    expect(await label('springfield or')).toMatchObject({ label: 'Springfield, OR' })
    expect(await label('Springfield, HI')).toEqual({
      kind: 'unknown_place',
      text: 'Springfield, HI',
    })
  })

  test('villages of England are found, and distinguished by the towns close to them', async () => {
    // Neither is in GeoNames' list of places with a thousand people.
    expect(await find('uk', 'Piddletrenthide')).toMatchObject({ label: 'Piddletrenthide' })
    expect(
      kmTo(await find('uk', 'Great Snoring'), { latitude: 52.87, longitude: 0.89 }),
    ).toBeLessThan(3)
    const teigh = await find('uk', 'Teigh')
    expect(kmTo(teigh, { latitude: 52.73, longitude: -0.72 })).toBeLessThan(3)
    const church = await find('uk', 'Church End')
    if (church.kind !== 'found') throw new Error('there are a score of them')
    expect(church.others).toHaveLength(5)
    for (const label of church.others ?? []) {
      expect(await find('uk', label)).toMatchObject({ kind: 'found', label })
    }
  })

  test.each([
    ['Alder Moor', 'Aldermoor'],
    ['aldermoor', 'Alder Moor'],
  ])(
    'of villages whose names differ only by a space, %s finds its own spelling, not %s',
    async (name, twin) => {
      const found = await find('uk', name)
      if (found.kind !== 'found') throw new Error('there are a score of them')
      expect(found.label.toLowerCase()).toMatch(new RegExp(`^${name.toLowerCase()}`))
      expect(found.label.toLowerCase()).not.toMatch(new RegExp(`^${twin.toLowerCase()}`))
    },
  )

  test.each([
    ['Achiltibuie', 58.02, -5.35],
    ['Plockton', 57.34, -5.65],
    ['Tongue', 58.48, -4.42],
    ['Pontrhydfendigaid', 52.28, -3.86],
    ['Llanfihangel y Creuddyn', 52.37, -3.95],
    ['Beddgelert', 53.01, -4.1],
    ['Cushendun', 55.13, -6.04],
    ['Strangford', 54.37, -5.56],
  ])('%s, outside England, is found', async (name, latitude, longitude) => {
    expect(kmTo(await find('uk', name), { latitude, longitude })).toBeLessThan(3)
  })

  test('a name shared by Welsh villages offers the others', async () => {
    const felindre = await find('uk', 'Felindre')
    if (felindre.kind !== 'found') throw new Error('there are several of them')
    expect(felindre.others?.length).toBeGreaterThan(1)
    for (const label of felindre.others ?? []) {
      expect(await find('uk', label)).toMatchObject({ kind: 'found', label })
    }
  })

  test('a misspelt town is not taken for a village of the other region', async () => {
    const ogden = { kind: 'found', label: 'Ogden, UT', insteadOf: 'Ogdens' }
    expect(await find('usa', 'Ogdens')).toMatchObject(ogden)
    expect(await find('uk', 'Ogdens')).toMatchObject({ kind: 'found', label: 'Ogdens' })
    expect(await find('usa', 'Ickleton')).toMatchObject({ kind: 'other_region', region: 'uk' })
  })

  test('a part of a town is distinguished from namesakes by the town', async () => {
    const [london, yorkshire] = [
      await find('uk', 'Richmond, London'),
      await find('uk', 'Richmond, North Yorkshire'),
    ]
    expect(kmTo(london, { latitude: 51.46, longitude: -0.3 })).toBeLessThan(5)
    expect(kmTo(yorkshire, { latitude: 54.4, longitude: -1.74 })).toBeLessThan(5)
  })

  test('an unknown county is ignored where one place is far larger than its namesakes', async () => {
    expect(await find('uk', 'Leeds, Loidis')).toMatchObject({ kind: 'found', label: 'Leeds' })
  })

  test('a town with an outcode finds the outcode when no such town lies in it', async () => {
    expect(await find('uk', 'London E1')).toMatchObject({ label: 'E1', level: 'outcode' })
    expect(await find('uk', 'London QQ1')).toEqual({ kind: 'unknown_code', code: 'QQ1' })
  })

  test.each([
    ['uk', 'Qwertyville'],
    ['usa', 'Qwertyville'],
    ['uk', 'Nowhereville, Somewhere, Wales'],
    ['uk', 'XX'],
    ['usa', 'Qwertyville, Narnia, UK'],
    ['uk', 'Richmond, Narnia'],
    // Homoglyphs: "Leeds" and "London" with one letter of another alphabet.
    ['uk', 'Lеeds'],
    ['uk', 'Lοndon'],
    ['uk', 'Лондон'],
  ] as const)('in the %s %j is unknown and returned as typed', async (region, text) => {
    expect(await find(region, text)).toEqual({ kind: 'unknown_place', text })
  })

  test.each(['', ' ', '\t\n', '\u00a0\u3000', '\u200b', '\u202a\u202c'])(
    '%j is empty',
    async (text) => {
      expect(await find('uk', text)).toEqual({ kind: 'empty' })
      expect(await find('usa', text)).toEqual({ kind: 'empty' })
    },
  )

  test.each([
    "' OR 1=1--",
    "SW1A 1AA'; DROP TABLE geo_places;--",
    "Robert'); DELETE FROM geo_uk_units",
    '%',
    '_',
    'S%',
    'SW1_',
    'Lond_n',
    '<script>alert(1)</script>',
    '<b>Leeds</b>',
    '&lt;Leeds&gt;',
    '😀',
    'Leeds 😀',
    'Le\u0000eds',
    '\u0000',
    'SW1A\r\n1AA',
    'Leeds\u001b[31m',
    '\ud800',
    'Leeds\udc00',
    '\\',
    '../../etc/passwd',
    '${7*7}',
    '"',
    '-',
    '--',
    '12',
    '1234567',
    '-78701',
    'XSW1A 1AA',
    'SW1A 1AAA',
    'ЅЕ1',
    'ЅЕ1 6ET',
    'ß1 1AA',
    'ıM1 1AA',
    '٧٨٧٠١',
    'x'.repeat(81),
    'x'.repeat(10_000),
    ' '.repeat(10_000),
    '1'.repeat(10_000),
    'SW1A 1AA'.repeat(1250),
    'ﷺ'.repeat(300),
  ])('%j is refused', async (text) => {
    expect(await find('uk', text)).toEqual({ kind: 'invalid' })
    expect(await find('usa', text)).toEqual({ kind: 'invalid' })
  })

  test('no text makes it throw', async () => {
    const region = fc.constantFrom<Region>('uk', 'usa')
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 90 }),
      fc.stringMatching(/^[A-Za-z0-9 ,.'&()-]{0,20}$/),
      fc.stringMatching(/^[a-z]{1,2}\d[a-z\d]? ?\d?[a-z]{0,2}$/),
    )
    const seen = new Set<PlaceAnswer['kind']>()
    await fc.assert(
      fc.asyncProperty(region, text, async (where, typed) => {
        const answer = await find(where, typed)
        seen.add(answer.kind)
        if (answer.kind === 'found') return answer.region === where
        return answer.kind !== 'other_region' || answer.region !== where
      }),
      { numRuns: 500 },
    )
    // Inputs that are all rejected early would not exercise the search.
    expect(seen).toContain('found')
    expect(seen).toContain('other_region')
    expect(seen).toContain('unknown_code')
  })

  test.each([
    ['uk', 'Machester', 'Manchester'],
    ['uk', 'Birmingahm', 'Birmingham'],
    ['usa', 'Phildelphia', 'Philadelphia, PA'],
    ['usa', 'Pheonix', 'Phoenix, AZ'],
  ] as const)(
    '%s: the misspelling "%s" is corrected and reported',
    async (region, typed, label) => {
      expect(await find(region, typed)).toMatchObject({ kind: 'found', label, insteadOf: typed })
    },
  )

  test.each([
    ['uk', 'Xanadu'],
    ['uk', 'Leds'],
    ['usa', 'Qwertyuiop'],
  ] as const)('%s: "%s" resembles no name closely enough', async (region, typed) => {
    expect((await find(region, typed)).kind).toBe('unknown_place')
  })

  test('an ambiguous name returns the chosen place and the others', async () => {
    const newport = await find('uk', 'Newport')
    if (newport.kind !== 'found') throw new Error(newport.kind)
    expect(newport.insteadOf).toBeUndefined()
    expect(newport.others?.length).toBeGreaterThan(0)
    // Each of them leads to another place when it is typed.
    for (const other of newport.others ?? []) {
      const there = await find('uk', other)
      if (there.kind !== 'found') throw new Error(`${other}: ${there.kind}`)
      expect(distanceKm(pointOf(there), pointOf(newport))).toBeGreaterThan(5)
    }
    // Nobody means another London, and a name with its county is not ambiguous.
    expect(await find('uk', 'London')).toMatchObject({ others: [] })
    expect(await find('uk', 'Newport, Wales')).not.toHaveProperty('others')
  })
})
