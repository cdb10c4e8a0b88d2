import { expect, test } from 'vitest'
import { accepts } from './compress.ts'

test.each([
  ['gzip, deflate, br', 'br', true],
  ['gzip', 'br', false],
  ['br;q=0, gzip', 'br', false],
  ['BR;Q=0.5', 'br', true],
  ['*', 'gzip', true],
  ['*;q=0', 'gzip', false],
  ['gzip;q=0, *', 'gzip', false],
  ['identity', 'gzip', false],
  ['', 'gzip', false],
  [null, 'gzip', false],
])('Accept-Encoding %s and %s: %s', (header, encoding, answer) => {
  expect(accepts(header, encoding)).toBe(answer)
})
