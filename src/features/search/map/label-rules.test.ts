import { expect, test } from 'vitest'
import type { LabelKind, WorldLabel } from './backdrop.ts'
import { isShown, marginOf, priorityOf } from './labels.ts'

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
