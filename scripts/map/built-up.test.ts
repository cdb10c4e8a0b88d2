import { expect, test } from 'vitest'
import { builtUpRings, contour } from './built-up.ts'
import type { Point } from './lines.ts'

const area = (ring: Point[]) =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y]
    return sum + (x * nextY - nextX * y) / 2
  }, 0)

test('one high cell is surrounded by one ring half-way to its neighbours', () => {
  const grid = new Float32Array(25)
  grid[12] = 1
  const rings = contour(grid, 5, 0.5)
  expect(rings).toHaveLength(1)
  expect(rings[0]).toHaveLength(4)
  expect(Math.abs(area(rings[0] ?? []))).toBeCloseTo(0.5)
})

test('a hole has a ring of its own, turned the other way', () => {
  const grid = Float32Array.from({ length: 49 }, (_, i) => {
    const [x, y] = [i % 7, Math.floor(i / 7)]
    const isEdge = x === 0 || y === 0 || x === 6 || y === 6
    return isEdge || (x === 3 && y === 3) ? 0 : 1
  })
  const areas = contour(grid, 7, 0.5).map(area)
  expect(areas).toHaveLength(2)
  expect(areas.filter((value) => value > 0)).toHaveLength(1)
})

test('two high cells that touch only at a corner stay two places', () => {
  const grid = new Float32Array(16)
  grid[5] = 1
  grid[10] = 1
  expect(contour(grid, 4, 0.6)).toHaveLength(2)
})

/** A square of 25 places, this many degrees apart. */
const around = (apart: number) =>
  Array.from({ length: 25 }, (_, i) => ({
    lon: -1 + (i % 5) * apart * 1.6,
    lat: 53 + Math.floor(i / 5) * apart,
    weight: 200,
  }))

test('places close together are a town; places far apart are country', () => {
  const options = { cell: 0.01, spread: 0.6, limits: [0.5, 1.5] as [number, number], threshold: 20 }
  const town = builtUpRings(around(0.01), options)
  expect(town).toHaveLength(1)
  const [lon, lat] = town[0]?.[0] ?? [0, 0]
  expect(Math.abs(lon - -0.968)).toBeLessThan(0.1)
  expect(Math.abs(lat - 53.02)).toBeLessThan(0.06)
  expect(builtUpRings(around(0.2), options)).toEqual([])
})
