import { expect, test } from 'vitest'
import {
  builtUpRings,
  clipRing,
  contour,
  type Point,
  packLines,
  simplifyLine,
  sortLines,
} from './lines.ts'

const grid = {
  box: [-10, 50, 0, 60] as [number, number, number, number],
  step: [0.5, 0.25] as [number, number],
}

test('lines are packed as grid steps, each starting relative to the previous line', () => {
  const lines: Point[][] = [
    [
      [-9, 51],
      [-8.5, 51],
      [-8.5, 51.25],
    ],
    [
      [-8.5, 50.5],
      [-7, 51.25],
    ],
  ]
  expect(packLines(lines, grid).lines).toEqual([
    [2, 4, 1, 0, 0, 1],
    [1, -2, 3, 3],
  ])
})

test('coinciding points are packed once, and a vanishing line is dropped', () => {
  const speck: Point[] = [
    [-9, 51],
    [-9.01, 51.01],
    [-8.99, 51],
  ]
  expect(packLines([speck], grid).lines).toEqual([])
})

test('a ring is cut at the edge of the box', () => {
  const square: Point[] = [
    [-12, 52],
    [-8, 52],
    [-8, 54],
    [-12, 54],
  ]
  const cut = clipRing(square, grid.box)
  expect(cut.map(([lon]) => lon).toSorted((a, b) => a - b)).toEqual([-10, -10, -8, -8])
  expect(clipRing(square, [0, 0, 1, 1])).toEqual([])
})

test('simplifying drops points on the line and keeps those that stand out', () => {
  const line: Point[] = [
    [0, 0],
    [1, 0.001],
    [2, 0],
    [3, 1],
    [4, 0],
  ]
  expect(simplifyLine(line, () => 0.01)).toEqual([
    [0, 0],
    [2, 0],
    [3, 1],
    [4, 0],
  ])
})

const start = (lon: number, lat: number): Point[] => [[lon, lat]]

test('lines are ordered by band and then from west to east', () => {
  const lines = [start(5, 0.1), start(1, 1.5), start(2, 0.9)]
  expect(sortLines(lines, 1)).toEqual([start(2, 0.9), start(5, 0.1), start(1, 1.5)])
})

const area = (ring: Point[]) =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y]
    return sum + (x * nextY - nextX * y) / 2
  }, 0)

test('one high cell gives one ring half-way to its neighbours', () => {
  const cells = new Float32Array(25)
  cells[12] = 1
  const rings = contour(cells, 5, 0.5)
  expect(rings).toHaveLength(1)
  expect(rings[0]).toHaveLength(4)
  expect(Math.abs(area(rings[0] ?? []))).toBeCloseTo(0.5)
})

test('a hole has its own ring in the opposite direction', () => {
  const cells = Float32Array.from({ length: 49 }, (_, i) => {
    const [x, y] = [i % 7, Math.floor(i / 7)]
    const isEdge = x === 0 || y === 0 || x === 6 || y === 6
    return isEdge || (x === 3 && y === 3) ? 0 : 1
  })
  const areas = contour(cells, 7, 0.5).map(area)
  expect(areas).toHaveLength(2)
  expect(areas.filter((value) => value > 0)).toHaveLength(1)
})

test('two high cells that touch only at a corner stay separate', () => {
  const cells = new Float32Array(16)
  cells[5] = 1
  cells[10] = 1
  expect(contour(cells, 4, 0.6)).toHaveLength(2)
})

/** A square of 25 places, this many degrees apart. */
const around = (apart: number) =>
  Array.from({ length: 25 }, (_, i) => ({
    lon: -1 + (i % 5) * apart * 1.6,
    lat: 53 + Math.floor(i / 5) * apart,
    weight: 200,
  }))

test('points close together are a town; points far apart are not', () => {
  const options = { cell: 0.01, spread: 0.6, limits: [0.5, 1.5] as [number, number], threshold: 20 }
  const town = builtUpRings(around(0.01), options)
  expect(town).toHaveLength(1)
  const [lon, lat] = town[0]?.[0] ?? [0, 0]
  expect(Math.abs(lon - -0.968)).toBeLessThan(0.1)
  expect(Math.abs(lat - 53.02)).toBeLessThan(0.06)
  expect(builtUpRings(around(0.2), options)).toEqual([])
})
