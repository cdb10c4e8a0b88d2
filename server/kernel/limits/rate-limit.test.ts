import { expect, test } from 'vitest'
import { AppError } from '#server/kernel/errors.ts'
import { consume, limits, makeRateLimiter } from './rate-limit.ts'

const HOUR = 3_600_000

function clockAt(start: number) {
  let time = start
  return {
    read: () => time,
    to: (next: number) => {
      time = next
    },
  }
}

function takeUntilRefused(limiter: ReturnType<typeof makeRateLimiter>, key: string): number {
  for (let count = 0; count < 10_000; count += 1) {
    if (!limiter.take('contact', key).allowed) return count
  }
  throw new Error('never refused')
}

test('the sixth message of an hour is refused, with the seconds until the next', () => {
  const clock = clockAt(0)
  const limiter = makeRateLimiter(clock.read)
  expect(takeUntilRefused(limiter, 'a')).toBe(limits.contact.calls)
  const verdict = limiter.take('contact', 'a')
  expect(verdict).toEqual({ allowed: false, retryAfterSeconds: 4_200 })
  clock.to(4_199_999)
  expect(limiter.take('contact', 'a').allowed).toBe(false)
  clock.to(4_200_000)
  expect(limiter.take('contact', 'a').allowed).toBe(true)
})

test('no hour has more calls than the limit, wherever it begins', () => {
  const clock = clockAt(0)
  const limiter = makeRateLimiter(clock.read)
  const taken: number[] = []
  for (let time = 0; time < 6 * HOUR; time += 60_000) {
    clock.to(time)
    if (limiter.take('contact', 'a').allowed) taken.push(time)
  }
  const worst = Math.max(
    ...taken.map((from) => taken.filter((at) => at >= from && at < from + HOUR).length),
  )
  expect(worst).toBe(limits.contact.calls)
  expect(taken.length).toBeGreaterThan(4 * limits.contact.calls)
})

test('networks and limits are counted separately', () => {
  const limiter = makeRateLimiter(() => 0)
  takeUntilRefused(limiter, 'a')
  expect(limiter.take('contact', 'b').allowed).toBe(true)
  expect(limiter.take('search', 'a').allowed).toBe(true)
})

test('a clock that is set back neither lifts a limit nor keeps it forever', () => {
  const clock = clockAt(10 * HOUR)
  const limiter = makeRateLimiter(clock.read)
  takeUntilRefused(limiter, 'a')
  clock.to(8 * HOUR)
  expect(limiter.take('contact', 'a').allowed).toBe(false)
  clock.to(11.5 * HOUR)
  expect(limiter.take('contact', 'a').allowed).toBe(true)
})

test('when full, a new key is admitted and a flooding key stays counted', () => {
  const limiter = makeRateLimiter(() => 0, 3)
  takeUntilRefused(limiter, 'flood')
  for (let count = 0; count < 100; count += 1) {
    expect(limiter.take('contact', `new ${count}`).allowed).toBe(true)
    expect(limiter.take('contact', 'flood').allowed).toBe(false)
  }
})

test('the networks of one IPv6 site together have eight times the limit of one', () => {
  const limiter = makeRateLimiter(() => 0)
  const callsOf = (network: string) => {
    for (let count = 0; count < 1_000; count += 1) {
      try {
        consume({ limiter, network }, 'contact')
      } catch {
        return count
      }
    }
    throw new Error('never refused')
  }
  const own = limits.contact.calls
  expect(callsOf('2001:db8:7:0::/64')).toBe(own)
  // Refused calls of one network consume nothing of its neighbours' limit.
  for (let count = 0; count < 100; count += 1) callsOf('2001:db8:7:0::/64')
  const sum = Array.from({ length: 20 }, (_, n) => callsOf(`2001:db8:7:${n + 1}::/64`))
  expect(sum.reduce((a, b) => a + b, own)).toBe(8 * own)
  expect(callsOf('2001:db8:8:1::/64')).toBe(own)
})

test('exceeding a limit throws a code with the seconds to wait', () => {
  const consumer = { limiter: makeRateLimiter(() => 0), network: 'a' }
  for (let count = 0; count < limits.contact.calls; count += 1) consume(consumer, 'contact')
  expect(() => consume(consumer, 'contact')).toThrow(
    new AppError('rate_limited', { retryAfterSeconds: 4_200 }),
  )
})
