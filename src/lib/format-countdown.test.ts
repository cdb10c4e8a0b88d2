import { expect, test } from 'vitest'
import { formatCountdown } from './format-countdown.ts'

test.each([
  [582_000, '9:42'],
  [581_001, '9:42'],
  [900_000, '15:00'],
  [1, '0:01'],
  [0, '0:00'],
  [-5_000, '0:00'],
])('%i ms read %s', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text)
})
