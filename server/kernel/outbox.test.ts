import { expect, test } from 'vitest'
import { backoffMs, LEASE_MS, MAX_ATTEMPTS } from './outbox.ts'

const HOUR = 3_600_000

test('delays double from five seconds to an hour, with a jitter of a quarter', () => {
  expect([1, 2, 3].map((attempts) => backoffMs(attempts, 0.5))).toEqual([5_000, 10_000, 20_000])
  expect(backoffMs(MAX_ATTEMPTS, 0.5)).toBe(HOUR)
  expect([backoffMs(1, 0), backoffMs(1, 1)]).toEqual([3_750, 6_250])
})

test('retries outlast a mail server outage of half a day', () => {
  let total = 0
  for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts += 1) total += backoffMs(attempts, 0)
  expect(total).toBeGreaterThan(10 * HOUR)
  expect(LEASE_MS).toBeGreaterThan(30_000)
})
