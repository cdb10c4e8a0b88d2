import { expect, test } from 'vitest'
import { hash32, pickWeighted, randomFor, shuffled } from './random.ts'

test('the sequence is the same on every machine', () => {
  const random = randomFor(hash32('a key'), 7)
  const drawn = Array.from({ length: 4 }, () => random.between(0, 9_999))
  expect(drawn).toEqual([5422, 8920, 7660, 8854])
})

test('another key or detail gives another sequence', () => {
  const keys = [
    [1, 1],
    [1, 2],
    [2, 1],
    [0, 0],
  ] as const
  const values = keys.map(([key, detail]) => randomFor(key, detail).next())
  expect(new Set(values).size).toBe(4)
})

test('integers cover exactly their range', () => {
  const random = randomFor(3)
  const seen = new Set(Array.from({ length: 500 }, () => random.between(-2, 2)))
  expect([...seen].toSorted((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2])
})

test('weights decide how often something is picked; zero means never', () => {
  const random = randomFor(5)
  const counts = { often: 0, seldom: 0, never: 0 }
  for (let round = 0; round < 2_000; round += 1) {
    counts[
      pickWeighted(random, [
        ['often', 9],
        ['never', 0],
        ['seldom', 1],
      ] as const)
    ] += 1
  }
  expect(counts.never).toBe(0)
  expect(counts.often / counts.seldom).toBeGreaterThan(6)
  expect(counts.often / counts.seldom).toBeLessThan(13)
})

test('shuffling keeps all items', () => {
  const items = Array.from({ length: 100 }, (_, at) => at)
  const mixed = shuffled(randomFor(8), items)
  expect(mixed).not.toEqual(items)
  expect(mixed.toSorted((a, b) => a - b)).toEqual(items)
})
