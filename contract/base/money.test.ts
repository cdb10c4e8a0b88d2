import { expect, test } from 'vitest'
import { formatExactMoney } from './money.ts'

test.each([
  [6_000, 'GBP', '£60.00'],
  [123_450, 'USD', '$1,234.50'],
  [6_000, 'JPY', 'JP¥6,000'],
])('%d minor units of %s are formatted as %s', (minor, currency, text) => {
  expect(formatExactMoney({ minor, currency })).toBe(text)
})
