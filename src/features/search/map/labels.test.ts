import { expect, test } from 'vitest'
import type { LabelKind, WorldLabel } from './backdrop.ts'
import { isShown, marginOf, placeLabels, priorityOf } from './labels.ts'

const label = (kind: LabelKind, rank: number): WorldLabel => ({ kind, rank, name: 'x', x: 0, y: 0 })

test('capitals are named on the smallest map and villages only near to', () => {
  expect(isShown(label('city', 0), 4)).toBe(true)
  expect(isShown(label('city', 8), 7)).toBe(false)
  expect(isShown(label('city', 8), 12)).toBe(true)
})

test('outcodes and ZIP codes appear near to, counties give way to them', () => {
  for (const kind of ['outcode', 'zip'] as const) {
    expect(isShown(label(kind, 0), 9)).toBe(false)
    expect(isShown(label(kind, 0), 12)).toBe(true)
  }
  expect(isShown(label('county', 0), 9)).toBe(true)
  expect(isShown(label('county', 0), 12)).toBe(false)
})

test('a village named early wants empty ground around it, and none once its zoom has come', () => {
  expect(marginOf(label('city', 7), 8.2)).toBeGreaterThan(60)
  expect(marginOf(label('city', 7), 10.2)).toBe(0)
})

test('a larger town goes before a smaller one', () => {
  expect(priorityOf(label('city', 1))).toBeLessThan(priorityOf(label('city', 3)))
})

const area = { left: 0, top: 0, right: 400, bottom: 200 }
const labelBox = (name: string, x: number, y: number, more = {}) => ({
  name,
  x,
  y,
  width: 60,
  height: 12,
  gap: 0,
  margin: 0,
  ...more,
})
const names = (placed: { item: { name: string } }[]) => placed.map(({ item }) => item.name)

test('of two labels on one spot the first keeps its place and the second moves off it', () => {
  const placed = placeLabels(
    [labelBox('London', 200, 100), labelBox('Westminster', 200, 100)],
    area,
  )
  expect(placed[0]).toMatchObject({ left: 170, middle: 100 })
  expect(placed[1]?.middle).not.toBe(100)
  expect(Math.abs((placed[1]?.middle ?? 0) - 100)).toBeGreaterThan(12)
})

test('a label with nowhere to go is left out', () => {
  const crowd = Array.from({ length: 12 }, (_, i) => labelBox(`${i}`, 200, 100))
  const placed = placeLabels(crowd, area)
  expect(placed.length).toBeGreaterThan(1)
  expect(placed.length).toBeLessThan(12)
})

test('no two labels placed touch', () => {
  const crowd = Array.from({ length: 80 }, (_, i) =>
    labelBox(`${i}`, (i * 73) % 400, (i * 41) % 200, { gap: i % 2 === 0 ? 6 : 0 }),
  )
  const boxes = placeLabels(crowd, area).map(({ left, middle }) => ({ left, middle }))
  expect(boxes.length).toBeGreaterThan(5)
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      expect(Math.abs(a.left - b.left) >= 60 || Math.abs(a.middle - b.middle) >= 12).toBe(true)
    }
  }
})

test('a label beside a dot goes to the left when its right side is taken', () => {
  const wall = { left: 205, top: 90, right: 300, bottom: 110 }
  const [placed] = placeLabels([labelBox('Leeds', 200, 100, { gap: 6 })], area, [wall])
  expect(placed?.left).toBe(200 - 6 - 60)
})

test('labels keep off pins and stay inside the canvas', () => {
  const pin = { left: 150, top: 60, right: 250, bottom: 140 }
  expect(placeLabels([labelBox('Under a pin', 200, 100)], area, [pin])).toEqual([])
  expect(placeLabels([labelBox('Over the edge', 10, 100)], area)).toEqual([])
})

test('a label that asks for room around it yields to a neighbour it does not touch', () => {
  const town = labelBox('Town', 100, 100)
  const hamlet = labelBox('Hamlet', 180, 100)
  expect(names(placeLabels([town, hamlet], area))).toEqual(['Town', 'Hamlet'])
  expect(names(placeLabels([town, { ...hamlet, margin: 40 }], area))).toEqual(['Town'])
})
