import { expect, test } from 'vitest'
import { Towns } from './us-zips.ts'

const KM = 1 / 111.195

/** A town in Alaska, and a point this many kilometres north of it. */
const town = { key: 'fairbanks', admin: 'AK', latitude: 64.84, longitude: -147.72 }
const north = (km: number) => ({ ...town, latitude: town.latitude + km * KM })
const named = { city: 'Fairbanks', state: 'AK' }

function areServed(census: number, office: number, towns = [town], place = named): boolean {
  return new Towns(towns).areServedFrom({ ...place, census: north(census), office: north(office) })
}

test('uses the post office’s point when the town is far from the Census point', () => {
  expect(areServed(296, 0)).toBe(true)
  expect(areServed(101, 29)).toBe(true)
  expect(areServed(-101, 29)).toBe(true)
})

test('uses the Census point when it is near enough, or the post office is not near the town', () => {
  expect(areServed(99, 0)).toBe(false)
  expect(areServed(296, 31)).toBe(false)
  expect(areServed(0, 500)).toBe(false)
})

test('a namesake in another state or an unknown town keeps the Census point', () => {
  expect(areServed(296, 0, [{ ...town, admin: 'ND' }])).toBe(false)
  expect(areServed(296, 0, [])).toBe(false)
  expect(areServed(296, 0, [town], { ...named, city: 'Jber' })).toBe(false)
})

test('a namesake near the Census point keeps it', () => {
  expect(areServed(296, 0, [town, north(290)])).toBe(false)
  expect(areServed(296, 0, [town, north(-150)])).toBe(true)
})

test('town names are compared by their search key', () => {
  const saint = { ...town, key: 'stmary' }
  expect(areServed(296, 0, [saint], { city: 'Saint Mary', state: 'AK' })).toBe(true)
})
