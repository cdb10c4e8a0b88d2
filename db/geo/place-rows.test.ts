import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseVillages, type Village, villageRows } from './place-rows.ts'
import { NearestIndex, type Point } from './points.ts'
import { parseSectors } from './sectors.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** Sectors end at the Irish Sea: roughly, the six counties. */
const isInUlster = ({ latitude, longitude }: Point): boolean =>
  latitude > 54 && latitude < 55.3 && longitude > -8.2 && longitude < -5.4

test.each([
  ['./english-villages.tsv', /^[A-Z][A-Za-z '.!-]*\t\d\d\.\d\d\t-?\d\.\d\d$/, ['ENG'], 20_000],
  [
    './geonames-villages.tsv',
    /^[A-Z][A-Za-z '-]*\t(SCT|WLS|NIR)\t\d\d\.\d\d\t-\d\.\d\d$/,
    ['NIR', 'SCT', 'WLS'],
    3000,
  ],
] as const)(
  '%s is sorted, has no duplicates, and its points are in the right country',
  (file, form, countries, least) => {
    const villages = parseVillages(read(file))
    expect(villages.length).toBeGreaterThan(least)
    const lines = read(file).trimEnd().split('\n').slice(1)
    expect(new Set(lines).size).toBe(lines.length)
    expect(lines.filter((line) => !form.test(line))).toEqual([])
    const names = villages.map(({ name }) => name)
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
    expect([...new Set(villages.map(({ country }) => country))].toSorted()).toEqual(countries)
    // A wrong digit would put a village in the sea or on the continent.
    const sectors = new NearestIndex(parseSectors(read('./uk-sectors.tsv')))
    const isThere = (one: Village): boolean =>
      one.country === 'NIR' ? isInUlster(one) : sectors.nearest(one) !== null
    expect(villages.filter((one) => !isThere(one))).toEqual([])
  },
)

const row = (name: string, latitude: number, longitude: number) => ({
  region: 'uk' as const,
  key: name.toLowerCase(),
  id: 7,
  name,
  admin: 'ENG',
  admin_name: 'England',
  latitude,
  longitude,
  population: 900,
  rank: 900,
  is_alias: 0 as const,
})

test('a known village is not listed twice; a distant namesake is added', () => {
  const given = [
    { name: 'Teigh', country: 'ENG', latitude: 52.73, longitude: -0.72 },
    { name: 'Wing', country: 'ENG', latitude: 52.61, longitude: -0.68 },
    { name: 'Wing', country: 'ENG', latitude: 52.62, longitude: -0.68 },
    { name: 'Wing', country: 'ENG', latitude: 51.9, longitude: -0.72 },
    { name: 'Wing', country: 'WLS', latitude: 52.4, longitude: -3.7 },
  ]
  const rows = villageRows(given, { firstId: -1, known: [row('Wing', 51.895, -0.722)] })
  expect(rows.map((one) => [one.name, one.latitude, one.population, one.admin_name])).toEqual([
    ['Teigh', 52.73, 0, 'England'],
    ['Wing', 52.61, 0, 'England'],
    ['Wing', 52.4, 0, 'Wales'],
  ])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
})

test('refuses another file in its place', () => {
  expect(() => parseVillages('')).toThrow('header')
  expect(() => parseVillages('name\tlatitude\tlongitude\nWing 52.6')).toThrow('unreadable')
})
