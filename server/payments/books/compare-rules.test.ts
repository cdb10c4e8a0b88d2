import { expect, test } from 'vitest'
import { comparedFrom, isComparisonDue, judgeCharge } from './compare-rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 100 * DAY

const taken = { gwPayment: 'pi_1', paymentId: 'pay_1', amountMinor: 6_000, currency: 'GBP' }
const payment = {
  state: 'paid',
  amount_minor: 6_000,
  currency: 'GBP',
  gw_payment: 'pi_1',
  created_at: NOW - DAY,
} as const
const open = { ...payment, state: 'open', gw_payment: null } as const
const ours = { payment, isVisited: true, refunds: [], now: NOW }
const back = { amount_minor: 6_000, state: 'done', dealt_at: null } as const
const unbooked = { ...ours, payment: { ...payment, state: 'refunded' }, isVisited: false } as const

test.each([
  ['what a visit was booked with', null, ours],
  ['money of a visit that is not there', 'no_visit', { ...ours, isVisited: false }],
  ['less than was asked for', 'amount', { ...ours, payment: { ...payment, amount_minor: 6_001 } }],
  ['another currency', 'amount', { ...ours, payment: { ...payment, currency: 'USD' } }],
  ['a second charge', 'no_payment', { ...ours, payment: { ...payment, gw_payment: 'pi_0' } }],
  ['what staff were told of', null, { ...ours, payment: { ...payment, state: 'review' } }],
  ['what went back', null, { ...unbooked, refunds: [back] }],
  ['what went back in part', 'no_visit', { ...unbooked, refunds: [{ ...back, amount_minor: 1 }] }],
  ['what staff pay back', null, { ...unbooked, refunds: [{ ...back, state: 'failed' }] }],
  [
    'what nobody paid back after all',
    'no_visit',
    { ...unbooked, refunds: [{ ...back, state: 'failed', dealt_at: NOW }] },
  ],
  ['what is being settled', null, { ...ours, payment: { ...open, created_at: NOW - HOUR + 1 } }],
  ['what nobody settles', 'no_visit', { ...ours, payment: { ...open, created_at: NOW - HOUR } }],
] as const)('the comparison says of %s: %s', (_what, kind, known) => {
  expect(judgeCharge(taken, known)).toBe(kind)
})

test('the books are compared once a day, the first time at once, and again when the clock is set back', () => {
  expect(isComparisonDue(undefined, NOW)).toBe(true)
  expect(isComparisonDue(NOW - DAY + 1, NOW)).toBe(false)
  expect(isComparisonDue(NOW - DAY, NOW)).toBe(true)
  expect(isComparisonDue(NOW + 1, NOW)).toBe(true)
})

test('three days before the last comparison are compared again, never what is yet to come', () => {
  expect(comparedFrom(NOW - DAY, NOW)).toBe(NOW - 4 * DAY)
  expect(comparedFrom(undefined, NOW)).toBe(NOW - 3 * DAY)
  expect(comparedFrom(NOW + DAY, NOW)).toBe(NOW - 3 * DAY)
})
