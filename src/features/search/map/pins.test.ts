import { expect, test } from 'vitest'
import { CLUSTER_ABOVE, groupPins, pinSource, spreadPins } from './pins.ts'
import type { ResultPin } from './results-map-lazy.tsx'

const pin = (id: string, number: number | null, lat: number, lon: number): ResultPin => ({
  id,
  number,
  lat,
  lon,
  name: `Dr ${id}`,
})

/** The given number of unnumbered pins, all within a few streets. */
const crowd = (count: number) =>
  Array.from({ length: count }, (_, i) => pin(`dot${i}`, null, 51.5 + i * 1e-5, -0.1))
const listed = Array.from({ length: 10 }, (_, i) =>
  pin(`p${10 - i}`, 10 - i, 51.501, -0.1 + i / 100),
)
const london = { box: [-0.5, 51.3, 0.3, 51.7] as [number, number, number, number], zoom: 10 }

test('up to sixty pins in view are drawn one by one', () => {
  const { singles, clusters } = groupPins(pinSource(crowd(CLUSTER_ABOVE)), london, null)
  expect(singles).toHaveLength(CLUSTER_ABOVE)
  expect(clusters).toEqual([])
})

test('one more, and those that crowd become one with their count', () => {
  const { singles, clusters } = groupPins(pinSource(crowd(CLUSTER_ABOVE + 1)), london, null)
  expect(singles).toEqual([])
  expect(clusters).toHaveLength(1)
  expect(clusters[0]).toMatchObject({ count: CLUSTER_ABOVE + 1 })
  expect(clusters[0]?.opensAt).toBeGreaterThan(london.zoom)
})

test('the pins of the list never disappear in a cluster, and come in the order of the list', () => {
  const { singles } = groupPins(pinSource([...crowd(100), ...listed]), london, null)
  expect(singles.map((single) => single.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('the selected pin stands alone even in a crowd', () => {
  const { singles } = groupPins(pinSource(crowd(100)), london, 'dot7')
  expect(singles.map((single) => single.id)).toEqual(['dot7'])
})

test('only what is in view counts towards the sixty', () => {
  const elsewhere = Array.from({ length: 90 }, (_, i) => pin(`far${i}`, null, 55, -3))
  const { singles, clusters } = groupPins(pinSource([...crowd(5), ...elsewhere]), london, null)
  expect(singles).toHaveLength(5)
  expect(clusters).toEqual([])
})

test('pins with room stay where they are', () => {
  const still = { x: 0, y: 0 }
  expect(
    spreadPins(
      [
        { x: 0, y: 0 },
        { x: 40, y: 0 },
      ],
      27,
    ),
  ).toEqual([still, still])
})

test('ten pins at one address all end up apart and near it', () => {
  const offsets = spreadPins(
    Array.from({ length: 10 }, () => ({ x: 100, y: 100 })),
    27,
  )
  expect(offsets[0]).toEqual({ x: 0, y: 0 })
  for (const [i, a] of offsets.entries()) {
    expect(Math.hypot(a.x, a.y)).toBeLessThan(60)
    for (const b of offsets.slice(i + 1)) {
      expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(26.9)
    }
  }
})
