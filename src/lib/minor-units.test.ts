import { expect, test } from 'vitest'
import { majorText, minorUnits } from './minor-units.ts'

test.each([
  ['60', 6_000],
  [' 60.5 ', 6_050],
  ['1,200.05', 120_005],
  ['0.99', 99],
])('%s is %i in minor units', (text, minor) => {
  expect(minorUnits(text)).toBe(minor)
  expect(minorUnits(majorText(minor))).toBe(minor)
})

test.each(['', 'sixty', '60.555', '-5', '1e3', '12345678', '1e9'])('%o is no amount', (text) => {
  expect(minorUnits(text)).toBeNaN()
})
