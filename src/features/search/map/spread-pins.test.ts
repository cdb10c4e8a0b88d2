import { expect, test } from 'vitest'
import { spreadPins } from './pins.ts'

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
