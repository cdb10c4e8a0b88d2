import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RADII } from '#contract/search.ts'
import type { Point } from '#db/geo/points.ts'
import { bandOf, circleAround, milesBetween, type Strip, unitVector } from './circle.ts'

function countContaining(strips: readonly Strip[], { latitude, longitude }: Point): number {
  const band = bandOf(latitude)
  return strips.filter((s) => s.band === band && s.west <= longitude && longitude < s.east).length
}

/** `fc.double` favours tiny numbers; directions and distances should come evenly. */
function evenly(min: number, max: number) {
  return fc.integer({ min: 0, max: 1e9 }).map((n) => min + ((max - min) * n) / 1e9)
}

const centre = fc.record({
  latitude: fc.oneof(evenly(24, 72), fc.constantFrom(51.5, 52.1, 89.9, 90, -90, 0)),
  longitude: fc.oneof(evenly(-180, 180), fc.constantFrom(179.95, -179.9, 180, -180, 0)),
})

/** A place about `miles` away in some direction, so that many are near the edge. */
function pointAt(from: Point, bearing: number, miles: number): Point {
  const angle = miles / 3958.7613
  const rad = Math.PI / 180
  const [lat, lon] = [from.latitude * rad, from.longitude * rad]
  const sin = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(bearing)
  const turn = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(lat),
    Math.cos(angle) - Math.sin(lat) * sin,
  )
  const longitude = (lon + turn) / rad
  return {
    latitude: Math.asin(Math.max(-1, Math.min(1, sin))) / rad,
    longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude,
  }
}

test('a place is inside exactly when it is in an inner range, or in an edge range and near enough', () => {
  fc.assert(
    fc.property(
      centre,
      fc.constantFrom(...RADII),
      evenly(0, 2 * Math.PI),
      fc.oneof(evenly(0.9, 1.1), evenly(0, 1.5)),
      (from, miles, bearing, share) => {
        fc.pre(Math.abs(share - 1) > 1e-7)
        const place = pointAt(from, bearing, miles * share)
        const circle = circleAround(from, miles)
        const { x, y, z } = unitVector(place)
        const near = x * circle.centre.x + y * circle.centre.y + z * circle.centre.z
        const isNear = near >= circle.leastDot
        const inInner = countContaining(circle.inner, place)
        const inEdge = countContaining(circle.edge, place)
        expect(inInner + inEdge).toBeLessThanOrEqual(1)
        expect(countContaining(circle.outer, place)).toBe(inInner + inEdge)
        expect(inInner === 1 || (inEdge === 1 && isNear)).toBe(share < 1)
      },
    ),
    { numRuns: 20_000 },
  )
})

test('distances are on a sphere: London to Paris is 213 miles', () => {
  const london = { latitude: 51.5007, longitude: -0.1246 }
  const paris = { latitude: 48.8584, longitude: 2.2945 }
  expect(milesBetween(london, paris)).toBeCloseTo(211.6, 0)
  expect(milesBetween(london, london)).toBe(0)
})
