import { expect, test } from 'vitest'
import { builtUpRings, type Point, packLines, simplifyLine, sortLines } from './lines.ts'

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
