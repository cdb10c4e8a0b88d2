import { expect, test } from 'vitest'
import { formatMajorUnits, formatMoney, parseMinorUnits } from './money.ts'

test.each([
  { minor: 6_000, currency: 'GBP', text: '£60' },
  { minor: 6_250, currency: 'GBP', text: '£62.50' },
  { minor: 0, currency: 'USD', text: '$0' },
  { minor: 123_450, currency: 'USD', text: '$1,234.50' },
] as const)('$minor minor units of $currency read $text', ({ minor, currency, text }) => {
  expect(formatMoney({ minor, currency })).toBe(text)
})

test.each([
  ['60', 6_000],
  [' 60.5 ', 6_050],
  ['1,200.05', 120_005],
  ['0.99', 99],
])('%s is %i in minor units', (text, minor) => {
  expect(parseMinorUnits(text)).toBe(minor)
  expect(parseMinorUnits(formatMajorUnits(minor))).toBe(minor)
})

test.each(['', 'sixty', '60.555', '-5', '1e3', '12345678', '1e9'])('%o is no amount', (text) => {
  expect(parseMinorUnits(text)).toBeNaN()
})
