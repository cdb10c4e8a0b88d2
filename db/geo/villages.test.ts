import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NearestIndex } from './points.ts'
import { parseSectors } from './sectors.ts'
import { parseVillages, villageRows } from './villages.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const villages = parseVillages(read('./english-villages.tsv'))

test('the list of villages is sorted, without doubles, and in England', () => {
  expect(villages.length).toBeGreaterThan(20_000)
  const lines = read('./english-villages.tsv').trimEnd().split('\n').slice(1)
  expect(new Set(lines).size).toBe(lines.length)
  const wrong = lines.filter((line) => !/^[A-Z][A-Za-z '.!-]*\t\d\d\.\d\d\t-?\d\.\d\d$/.test(line))
  expect(wrong).toEqual([])
  const names = villages.map(({ name }) => name)
  expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  // A slip in a figure would put a village into the sea or onto the continent.
  const sectors = new NearestIndex(parseSectors(read('./uk-sectors.tsv')))
  expect(villages.filter((one) => sectors.nearest(one) === null)).toEqual([])
})

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
  is_alias: 0 as const,
})

test('a village that is known already is not listed twice, one of the same name far off is', () => {
  const given = [
    { name: 'Teigh', latitude: 52.73, longitude: -0.72 },
    { name: 'Wing', latitude: 52.61, longitude: -0.68 },
    { name: 'Wing', latitude: 52.62, longitude: -0.68 },
    { name: 'Wing', latitude: 51.9, longitude: -0.72 },
  ]
  const rows = villageRows(given, [row('Wing', 51.895, -0.722)])
  expect(rows.map(({ name, latitude, population }) => [name, latitude, population])).toEqual([
    ['Teigh', 52.73, 0],
    ['Wing', 52.61, 0],
  ])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
})

test('another file in its place is refused', () => {
  expect(() => parseVillages('')).toThrow('header')
  expect(() => parseVillages('name\tlatitude\tlongitude\nWing 52.6')).toThrow('unreadable')
})
