import { expect, test } from 'vitest'
import { areaLabels, outcodeLabels, packLabels, packZips, townLabels } from './labels.ts'

const town = (name: string, population: number, lon = 0) => ({
  name,
  country: 'GB',
  lon,
  lat: 52,
  population,
})

const sector = (name: string, weight: number) => ({ sector: name, lat: 52, lon: 0, weight })

const square = (west: number, size: number): [number, number][] => [
  [west, 30],
  [west + size, 30],
  [west + size, 30 + size],
  [west, 30 + size],
]

const at = (name: string, rank: number, lon: number) => ({ name, rank, lon, lat: 50 })

test('towns are ranked by population, and the number is limited', () => {
  const labels = townLabels(
    [town('Village', 1000), town('London', 7_556_900), town('Leeds', 455_123)],
    2,
  )
  expect(labels.map(({ name, rank }) => [name, rank])).toEqual([
    ['London', 0],
    ['Leeds', 2],
  ])
})

test('a nearby namesake is dropped, one in another county stays', () => {
  const labels = townLabels(
    [town('Ashford', 60_000), town('Ashford', 20_000, 0.05), town('Ashford', 25_000, 1.3)],
    9,
  )
  expect(labels.map(({ lon }) => lon)).toEqual([0, 1.3])
})

test('an outcode is placed at the weighted mean of its sectors', () => {
  const [label] = outcodeLabels([
    { sector: 'SE1 0', lat: 51.5, lon: -0.1, weight: 300 },
    { sector: 'SE1 9', lat: 51.52, lon: -0.06, weight: 100 },
  ])
  expect(label?.name).toBe('SE1')
  expect(label?.lat).toBeCloseTo(51.505)
  expect(label?.lon).toBeCloseTo(-0.09)
})

test('outcodes of large users are left out, small rural ones are kept', () => {
  const labels = outcodeLabels([
    sector('E98 1', 56),
    sector('EC3P 3', 24),
    sector('PA74 6', 1),
    sector('IV46 8', 3),
  ])
  expect(labels.map(({ name }) => name)).toEqual(['PA74', 'IV46'])
})

test('an area is labelled in the middle of its largest ring', () => {
  const [label] = areaLabels([{ name: 'Travis', rings: [square(-90, 0.1), square(-98, 2)] }], [3])
  expect(label).toMatchObject({ name: 'Travis', rank: 0 })
  expect(label?.lon).toBeCloseTo(-97)
  expect(label?.lat).toBeCloseTo(31)
})

test('labels are packed by rank, then from west to east', () => {
  expect(packLabels('city', [at('B', 2, 1), at('A', 0, 3), at('C', 2, 0)], 10)).toEqual({
    kind: 'city',
    names: 'A\nC\nB',
    perDegree: 10,
    at: [30, 500, -30, 0, 10, 0],
    ranks: [1, 0, 2],
  })
})

test('ZIP codes are packed as steps in ascending order', () => {
  const zips = [
    { zip: '77501', lon: -97.74, lat: 30.27 },
    { zip: '00501', lon: -73.04, lat: 40.81 },
  ]
  expect(packZips(zips).steps).toEqual([501, -7304, 4081, 77_000, -2470, -1054])
})
