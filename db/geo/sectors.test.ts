import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { distanceKm, median, NearestIndex, weightedMean } from './points.ts'
import { parseSectors, prefixesOf, printSectors, sectorsOf } from './sectors.ts'

const file = readFileSync(new URL('./uk-sectors.tsv', import.meta.url), 'utf8')

async function* units(...rows: readonly [postcode: string, latitude: number, longitude: number][]) {
  for (const [postcode, latitude, longitude] of rows) yield { postcode, latitude, longitude }
}

test('the table of sectors is complete, sorted, short and inside Great Britain', () => {
  const sectors = parseSectors(file)
  expect(sectors.length).toBeGreaterThan(10_800)
  expect(sectors.length).toBeLessThan(10_900)
  const names = sectors.map(({ sector }) => sector)
  expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[A-Z]{1,2}\d[A-Z\d]? \d$/.test(name))).toEqual([])
  expect(names.filter((name) => name.startsWith('BT'))).toEqual([])
  const lines = file.trimEnd().split('\n').slice(1)
  expect(
    lines.filter((line) => !/^\S+ \d\t\d\d\.\d{3}\t-?\d\.\d{3}\t[1-9]\d*$/.test(line)),
  ).toEqual([])
  const outside = sectors.filter(
    (row) =>
      row.latitude < 49.8 || row.latitude > 60.9 || row.longitude < -8 || row.longitude > 1.8,
  )
  expect(outside).toEqual([])
  // Code-Point Open counts 1.7 million live postcodes.
  expect(sectors.reduce((sum, row) => sum + row.postcodes, 0)).toBeGreaterThan(1_700_000)
})

test('parsing and printing gives the same file', () => {
  expect(printSectors(parseSectors(file))).toBe(file)
})

test('refuses another file in its place', () => {
  expect(() => parseSectors('')).toThrow('header')
  expect(() => parseSectors('postcode,lat,lon\n')).toThrow('header')
  expect(() => parseSectors(`${file.split('\n')[0]}\nSW1A 1\t51.5\n`)).toThrow('SW1A 1')
})

test('a sector is the median of its postcodes, so an outlier does not move it', async () => {
  const sectors = await sectorsOf(
    units(
      ['SW1A1AB', 51.502, -0.141],
      ['SW1A1AA', 51.5014, -0.1404],
      ['SW1A1AC', 58, -7],
      ['SW1A2AA', 51.5034, -0.1276],
      ['SW1A2AB', 51.505, -0.1296],
      ['M11AE', 53.4836, -2.2312],
    ),
  )
  expect(sectors).toEqual([
    { sector: 'M1 1', outcode: 'M1', latitude: 53.484, longitude: -2.231, postcodes: 1 },
    { sector: 'SW1A 1', outcode: 'SW1A', latitude: 51.502, longitude: -0.141, postcodes: 3 },
    { sector: 'SW1A 2', outcode: 'SW1A', latitude: 51.504, longitude: -0.129, postcodes: 2 },
  ])
})

test('prefixes are means weighted by postcodes; an outcode wins over a district of the same name', () => {
  const sector = (name: string, latitude: number, postcodes: number) => ({
    sector: name,
    outcode: name.slice(0, -2),
    latitude,
    longitude: 0,
    postcodes,
  })
  const town = { level: 'outcode' as const, longitude: 0, postcodes: 0 }
  const rows = prefixesOf(
    [
      sector('E1 1', 51, 10),
      sector('E1 2', 52, 30),
      sector('E1W 1', 55, 1),
      sector('EC1A 1', 51, 1),
      sector('EC1V 1', 53, 3),
    ],
    [
      { ...town, code: 'BT1', latitude: 54 },
      { ...town, code: 'BT2', latitude: 55 },
    ],
  )
  const latitudes = Object.fromEntries(
    rows.map((row) => [`${row.level} ${row.code}`, row.latitude]),
  )
  expect(latitudes).toEqual({
    'outcode E1': 51.75,
    'outcode E1W': 55,
    'outcode EC1A': 51,
    'outcode EC1V': 53,
    'outcode BT1': 54,
    'outcode BT2': 55,
    'district EC1': 52.5,
    'area E': (51 * 10 + 52 * 30 + 55) / 41,
    'area EC': 52.5,
    'area BT': 54.5,
  })
})

test('the median of an even count is the mean of the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([10, 9, 100])).toBe(10)
  expect(median([])).toBeNaN()
})

test('points without weight have no mean', () => {
  expect(weightedMean([])).toBeNull()
  expect(weightedMean([{ latitude: 1, longitude: 1, weight: 0 }])).toBeNull()
})

test('a degree of latitude is 111 kilometres, Edinburgh to London 534', () => {
  expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 })).toBeCloseTo(
    111.195,
    2,
  )
  const edinburgh = { latitude: 55.9533, longitude: -3.1883 }
  const london = { latitude: 51.5074, longitude: -0.1278 }
  expect(distanceKm(edinburgh, london)).toBeCloseTo(534, 0)
})

test('finds the closest point by distance, not by degrees, and only nearby', () => {
  const east = { latitude: 60, longitude: 0.15 }
  const north = { latitude: 60.1, longitude: 0 }
  const index = new NearestIndex([east, north])
  // At 60 degrees north a degree of longitude is half as long as one of latitude.
  expect(index.nearest({ latitude: 60, longitude: 0 })).toBe(east)
  expect(index.nearest({ latitude: 60.9, longitude: 0 })).toBe(north)
  expect(index.nearest({ latitude: 50, longitude: 0 })).toBeNull()
})
