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

test('the post office stands for a town that is far from the Census point', () => {
  expect(areServed(296, 0)).toBe(true)
  expect(areServed(101, 29)).toBe(true)
  expect(areServed(-101, 29)).toBe(true)
})

test('the Census point stands while it is not that far, or the post office not close', () => {
  expect(areServed(99, 0)).toBe(false)
  expect(areServed(296, 31)).toBe(false)
  expect(areServed(0, 500)).toBe(false)
})

test('a town of the same name elsewhere, and one nobody knows, decide nothing', () => {
  expect(areServed(296, 0, [{ ...town, admin: 'ND' }])).toBe(false)
  expect(areServed(296, 0, [])).toBe(false)
  expect(areServed(296, 0, [town], { ...named, city: 'Jber' })).toBe(false)
})

test('a twin at the Census point leaves it standing', () => {
  expect(areServed(296, 0, [town, north(290)])).toBe(false)
  expect(areServed(296, 0, [town, north(-150)])).toBe(true)
})

test('the name is compared as people type it', () => {
  const saint = { ...town, key: 'stmary' }
  expect(areServed(296, 0, [saint], { city: 'Saint Mary', state: 'AK' })).toBe(true)
})
