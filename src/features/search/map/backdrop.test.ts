import { expect, test } from 'vitest'
import { type PackedBackdrop, unpackBackdrop, unpackCounties, unpackZips } from './backdrop.ts'
import { toWorld } from './mercator.ts'

const none = { origin: [0, 0] as [number, number], step: [1, 1] as [number, number], lines: [] }
const packed: PackedBackdrop = {
  version: 1,
  region: 'uk',
  bounds: [-20, 45, 12, 63],
  land: {
    origin: [-10, 50],
    step: [0.5, 0.25],
    lines: [
      [2, 4, 1, 0, 0, 1],
      [1, -2, 3, 3],
    ],
  },
  abroad: none,
  lakes: none,
  builtUp: none,
  rivers: none,
  borders: none,
  labels: [
    {
      kind: 'city',
      names: 'London\nLeeds\nYork',
      perDegree: 100,
      at: [-13, 5151, -142, 229, 47, 16],
      ranks: [1, 0, 2],
    },
  ],
}

test('lines come back in degrees, each from the start of the one before', () => {
  const [first, second] = unpackBackdrop(packed).lines.land
  const points = (line: typeof first) =>
    Array.from({ length: (line?.points.length ?? 0) / 2 }, (_, i) => ({
      x: line?.points[i * 2],
      y: line?.points[i * 2 + 1],
    }))
  expect(points(first)).toEqual([toWorld(51, -9), toWorld(51, -8.5), toWorld(51.25, -8.5)])
  expect(points(second)).toEqual([toWorld(50.5, -8.5), toWorld(51.25, -7)])
})

test('a line knows the box it fits in', () => {
  const [line] = unpackBackdrop(packed).lines.land
  expect(line).toMatchObject({ west: toWorld(51, -9).x, east: toWorld(51, -8.5).x })
  expect(line?.north).toBe(toWorld(51.25, -9).y)
  expect(line?.south).toBe(toWorld(51, -9).y)
})

test('labels come back with their places and ranks, an empty rank skipped', () => {
  expect(unpackBackdrop(packed).labels).toEqual([
    { kind: 'city', name: 'London', rank: 0, ...toWorld(51.51, -0.13) },
    { kind: 'city', name: 'Leeds', rank: 2, ...toWorld(53.8, -1.55) },
    { kind: 'city', name: 'York', rank: 2, ...toWorld(53.96, -1.08) },
  ])
})

test('ZIP codes keep their leading zeros', () => {
  const steps = [501, -7304, 4081, 77_000, -2470, -1054]
  expect(unpackZips({ version: 1, perDegree: 100, steps })).toEqual([
    { kind: 'zip', name: '00501', rank: 0, ...toWorld(40.81, -73.04) },
    { kind: 'zip', name: '77501', rank: 0, ...toWorld(30.27, -97.74) },
  ])
})

test.each([
  ['a page that is not JSON of ours', '<!doctype html>'],
  ['nothing', null],
  ['another version', { ...packed, version: 2 }],
])('%s is refused', (_, value) => {
  expect(() => unpackBackdrop(value)).toThrow('not one this page can read')
  expect(() => unpackCounties(value)).toThrow('not one this page can read')
  expect(() => unpackZips(value)).toThrow('not one this page can read')
})
