import { expect, test } from 'vitest'
import { formatDistance, formatRadius, readDistance } from './places.ts'

test('distance has one decimal and a singular', () => {
  expect(formatDistance(0)).toBe('0 miles away')
  expect(formatDistance(0.94)).toBe('0.9 miles away')
  expect(formatDistance(0.96)).toBe('1 mile away')
  expect(formatDistance(1)).toBe('1 mile away')
  expect(formatDistance(12.34)).toBe('12.3 miles away')
  expect(formatRadius(1)).toBe('within 1 mile')
  expect(formatRadius(25)).toBe('within 25 miles')
})

test('a distance in an address that is none is ignored', () => {
  expect(readDistance('2.4')).toBe(2.4)
  expect(readDistance('0.0')).toBe(0)
  for (const bad of ['0', '-1', 'NaN', 'near', '1e9', '', '1.23456', '<b>2</b>', ' 2']) {
    expect(readDistance(bad)).toBeNull()
  }
})
