import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cancellationOf, freeUntil, freeUntilOf, refundOf, retainedOf } from './cancel-rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-03-02T09:00:00Z')

const visit = (hoursAhead: number, region: 'uk' | 'usa' = 'uk', freeHours = 48) => ({
  start_at: NOW + hoursAhead * HOUR,
  region,
  free_cancel_hours: freeHours,
})

/** How many hours before the visit free cancellation ends. */
function freeHoursBefore(of: ReturnType<typeof visit>): number {
  return (of.start_at - freeUntil(of, NOW)) / HOUR
}

test('in the USA cancelling is free until the provider’s number of hours before', () => {
  expect(freeHoursBefore(visit(20 * 24, 'usa'))).toBe(48)
  expect(freeHoursBefore(visit(30, 'usa'))).toBe(48)
  expect(freeHoursBefore(visit(30, 'usa', 0))).toBe(0)
})

test('in the UK it is free for 14 days after booking, but until a day before the visit at the latest', () => {
  // A week ahead: the 14 days end after the visit, so one day applies instead of the provider's two.
  expect(freeHoursBefore(visit(7 * 24))).toBe(24)
  // 15 days ahead: the 14 days end exactly a day before.
  expect(freeHoursBefore(visit(15 * 24))).toBe(24)
  // 15 days and 12 hours ahead: the 14 days end 36 hours before the visit, later than the provider's 48.
  expect(freeHoursBefore(visit(15 * 24 + 12))).toBe(36)
  // Three weeks ahead: the 14 days end long before the provider's own deadline.
  expect(freeHoursBefore(visit(21 * 24))).toBe(48)
  // A provider's policy that is more generous than the law is kept.
  expect(freeHoursBefore(visit(7 * 24, 'uk', 2))).toBe(2)
})

test('a visit booked later than that is never free to cancel', () => {
  const near = { ...visit(20, 'uk', 24), free_until: null, confirmed_at: null }
  expect(freeUntilOf(near, NOW)).toBeLessThan(NOW)
})

test('once fixed it no longer changes with the clock', () => {
  const fixed = { ...visit(21 * 24), free_until: NOW + DAY, confirmed_at: NOW }
  expect(freeUntilOf(fixed, NOW + 5 * DAY)).toBe(NOW + DAY)
})

test('what is kept is a share of the price, rounded in the patient’s favour', () => {
  expect(retainedOf(6_000, 50)).toBe(3_000)
  expect(retainedOf(4_999, 50)).toBe(2_499)
  expect(retainedOf(101, 33)).toBe(33)
  expect(retainedOf(6_000, 0)).toBe(0)
  expect(retainedOf(6_000, 100)).toBe(6_000)
})

const price = fc.integer({ min: 1, max: 1_000_000 })
const percent = fc.integer({ min: 0, max: 100 })

test('a refund is at most what is left, and never negative', () => {
  fc.assert(
    fc.property(price, percent, fc.nat(), fc.boolean(), (whole, share, some, isFree) => {
      const left = some % (whole + 1)
      const kept = retainedOf(whole, share)
      const refund = refundOf({ left, kept, isFree })
      expect(Number.isSafeInteger(refund)).toBe(true)
      expect(refund).toBeGreaterThanOrEqual(0)
      expect(refund).toBeLessThanOrEqual(left)
      // Never keeps more than was agreed.
      expect(left - refund).toBeLessThanOrEqual(kept)
      if (isFree) expect(refund).toBe(left)
    }),
    { numRuns: 20_000 },
  )
})

test('the free period is never shorter than the provider’s policy or UK law', () => {
  const ahead = fc.integer({ min: 1, max: 400 * 24 * 60 })
  fc.assert(
    fc.property(ahead, fc.integer({ min: 0, max: 336 }), fc.boolean(), (minutes, hours, isUk) => {
      const one = {
        start_at: NOW + minutes * 60_000,
        region: isUk ? ('uk' as const) : ('usa' as const),
        free_cancel_hours: hours,
      }
      const until = freeUntil(one, NOW)
      expect(until).toBeGreaterThanOrEqual(one.start_at - hours * HOUR)
      expect(until).toBeLessThanOrEqual(one.start_at)
      if (isUk && minutes > 15 * 24 * 60) expect(until).toBeGreaterThanOrEqual(NOW + 14 * DAY)
      if (!isUk) expect(until).toBe(one.start_at - hours * HOUR)
    }),
    { numRuns: 5_000 },
  )
})

test('a page gets the deadline, whether it is past, and the cost for each kind of visit', () => {
  const agreed = {
    ...visit(72, 'usa', 24),
    free_until: null,
    confirmed_at: null,
    late_cancel_percent: 50,
    no_show_percent: 100,
    first_minor: 6_000,
    follow_minor: 4_001,
    currency: 'USD' as const,
  }
  expect(cancellationOf(agreed, NOW)).toEqual({
    freeHours: 24,
    latePercent: 50,
    noShowPercent: 100,
    freeUntil: '2026-03-04T09:00:00.000Z',
    isFree: true,
    kept: {
      first_visit: { minor: 3_000, currency: 'USD' },
      follow_up: { minor: 2_000, currency: 'USD' },
    },
  })
  // The deadline itself no longer counts as free.
  expect(cancellationOf(agreed, NOW + 2 * DAY).isFree).toBe(false)
  expect(cancellationOf(agreed, NOW + 2 * DAY - 1).isFree).toBe(true)
})
