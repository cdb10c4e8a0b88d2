import { expect, test } from 'vitest'
import { inkOn } from './ink-on.ts'

test.each([
  { color: '#ffffff', ink: 'dark' },
  { color: '#fbeae1', ink: 'dark' },
  { color: '#ffff00', ink: 'dark' },
  { color: '#000000', ink: 'light' },
  { color: '#0b6b5b', ink: 'light' },
  { color: '#b3261e', ink: 'light' },
])('text on $color is $ink', ({ color, ink }) => {
  expect(inkOn(color)).toBe(ink)
})
