import { beforeAll, expect, test } from 'vitest'
import type { Region } from '#contract/base/region.ts'
import type { Database } from '#db/engine.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { findPlace } from './lookup.ts'
import { suggestPlaces } from './suggest.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')

describeEngines('suggestions', (makeDatabase) => {
  let database: Database

  beforeAll(async () => {
    database = await makeDatabase('places')
  })

  const suggest = (region: Region, text: string, limit = 8) =>
    suggestPlaces(database.db, { region, text }, limit)

  const values = async (region: Region, text: string, limit = 8): Promise<string[]> =>
    (await suggest(region, text, limit)).map((suggestion) => suggestion.value)

  test('an outcode comes before longer ones, shorter numbers first', async () => {
    expect(await values('uk', 'se1', 4)).toEqual(['SE1', 'SE1P', 'SE10', 'SE11'])
    expect(await values('uk', 'M1', 3)).toEqual(['M1', 'M11', 'M12'])
    expect(await values('uk', 'BT7', 3)).toEqual(['BT7', 'BT70', 'BT71'])
  })

  test('an outcode that is not a prefix of others is followed by its sectors', async () => {
    expect(await values('uk', 'SW1A')).toEqual(['SW1A', 'SW1A 0', 'SW1A 1', 'SW1A 2'])
  })

  test('text that may be an outcode or a sector suggests both, the outcode first', async () => {
    const found = await values('uk', 'M11')
    expect(found[0]).toBe('M11')
    expect(found).toContain('M1 1')
  })

  test('a sector suggests itself; so does a postcode that is in no table', async () => {
    expect(await values('uk', 'sw1a 1')).toEqual(['SW1A 1'])
    expect(await values('uk', 'SW1A 1AA')).toEqual(['SW1A 1'])
  })

  test('imported postcodes with the typed prefix follow their sector', async () => {
    const at = { latitude: 51.5, longitude: -0.19 }
    await database.db
      .insertInto('geo_uk_units')
      .values(['W85AA', 'W85AB', 'W85BA', 'W851AA'].map((postcode) => ({ postcode, ...at })))
      .execute()
    expect(await values('uk', 'W8 5')).toEqual(['W8 5', 'W8 5AA', 'W8 5AB', 'W8 5BA'])
    expect(await values('uk', 'W8 5A')).toEqual(['W8 5AA', 'W8 5AB'])
    expect(await values('uk', 'w85b')).toEqual(['W8 5BA'])
    expect(await values('uk', 'W8 5AB')).toEqual(['W8 5AB'])
    expect(await values('uk', 'W8 5', 2)).toEqual(['W8 5', 'W8 5AA'])
  })

  test('ZIP codes are in order with their town, never military ones', async () => {
    expect(await suggest('usa', '7870', 2)).toEqual([
      { label: '78701', detail: 'Austin, TX', value: '78701' },
      { label: '78702', detail: 'Austin, TX', value: '78702' },
    ])
    expect(await values('usa', '0', 1)).toEqual(['00501'])
    expect(await values('usa', '78701-12')).toEqual(['78701'])
    expect(await values('usa', '090')).toEqual([])
    expect(await values('usa', '96')).not.toContain('96201')
  })

  test('towns are ordered by population, after an exact match', async () => {
    expect((await values('uk', 'lee', 3)).slice(0, 2)).toContain('Leeds')
    expect((await values('uk', 'man', 3))[0]).toBe('Manchester')
    expect((await values('uk', 'bath', 3))[0]).toBe('Bath')
    expect((await values('usa', 'aus', 1))[0]).toBe('Austin, TX')
    // Londonderry, NH has more people.
    expect((await values('usa', 'london', 3))[0]).toBe('London, OH')
    expect((await values('usa', 'dc', 3))[0]).toBe('Washington, DC')
    expect((await values('uk', 'hull', 3))[0]).toBe('Kingston upon Hull')
  })

  test('letters that begin postcodes add a few of those after the towns', async () => {
    const found = await values('uk', 'bt', 5)
    expect(found.slice(-2)).toEqual(['BT', 'BT1'])
    expect(await values('usa', 'bt', 5)).not.toContain('BT')
  })

  test('namesakes are distinguished by state, country or code', async () => {
    const newports = await suggest('uk', 'Newport')
    const labels = newports.map(({ label }) => label)
    expect(labels).toContain('Newport')
    expect(labels).toContain('Newport, England')
    expect(labels).toContain('Newport, TF10')
    expect(new Set(labels).size).toBe(labels.length)
    const [first, ...others] = await values('usa', 'Springfield')
    expect(first).toBe('Springfield, MO')
    expect(others).toContain('Springfield, IL')
  })

  test('text after the comma narrows the namesakes', async () => {
    expect(await values('usa', 'Springfield, I')).toEqual(['Springfield, IL', 'Springfield, ID'])
    expect((await values('usa', 'springfield, illi'))[0]).toBe('Springfield, IL')
    expect((await values('uk', 'Newport, W'))[0]).toBe('Newport')
    expect(await values('uk', 'Newport, Isle of Wight')).toEqual(['Newport, England'])
    expect(await values('usa', 'Austin TX')).toEqual(['Austin, TX'])
  })

  test('returns no more than requested, and at most twenty', async () => {
    expect(await suggest('uk', 's', 1)).toHaveLength(1)
    expect(await suggest('uk', 's', 5)).toHaveLength(5)
    expect(await suggest('uk', 's', 1000)).toHaveLength(20)
    expect(await suggest('usa', '7', 1000)).toHaveLength(20)
    expect(await suggest('uk', 'SE1', 1000)).toHaveLength(20)
  })

  test.each([
    '',
    '   ',
    '%',
    '_',
    "' OR 1=1--",
    '<script>',
    '😀',
    'Le\u0000',
    '\ud800',
    'x'.repeat(10_000),
    'ЅЕ1',
    'qwertyzz',
    'QQ1',
    'BFPO',
    'Richmond, Mars',
  ])('%j has no completions', async (text) => {
    expect(await suggest('uk', text)).toEqual([])
  })

  test('codes of the other region are not suggested', async () => {
    expect(await suggest('usa', 'SE1')).toEqual([])
    expect(await suggest('uk', '787')).toEqual([])
    expect(await suggest('usa', 'Leeds, UK')).toEqual([])
  })

  test.each(['uk', 'usa'] as const)(
    'every completion of one, two or three characters finds a place in the %s',
    // Thousands of look-ups in sequence, which are slow on a busy machine.
    { timeout: 120_000 },
    async (region) => {
      const starts = LETTERS.flatMap((a) =>
        ['', 'a', 'e', 'i', 'o', 'r', 'u', 'y'].map((b) => a + b),
      )
      const typed = [...starts, 'st ', 'new', 'mou', 'sw1', 'm1', 'ne9', '0', '99', '606']
      // The point of a completion does not depend on the typed text: look each up once.
      const all = new Set<string>()
      for (const text of typed) for (const value of await values(region, text, 20)) all.add(value)
      const lost: string[] = []
      for (const value of all) {
        const { kind } = await findPlace(database.db, region, value)
        if (kind !== 'found') lost.push(`${value}: ${kind}`)
      }
      expect(lost).toEqual([])
      expect(all.size).toBeGreaterThan(1500)
    },
  )

  test('text that begins no name suggests similar names', async () => {
    expect((await values('uk', 'Machester'))[0]).toBe('Manchester')
    expect((await values('usa', 'Pheonix'))[0]).toBe('Phoenix, AZ')
    expect(await values('uk', 'Xanadu')).toEqual([])
  })
})
