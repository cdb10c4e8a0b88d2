import { expect, test } from 'vitest'
import { clipRing, type Point, packLines, simplifyLine, sortLines } from './lines.ts'

const grid = {
  box: [-10, 50, 0, 60] as [number, number, number, number],
  step: [0.5, 0.25] as [number, number],
}

test('lines are packed as steps on the grid, each from the start of the one before', () => {
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

test('points that fall together are packed once, and a line that vanishes is dropped', () => {
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

test('thinning drops what lies on the line and keeps what stands out', () => {
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
