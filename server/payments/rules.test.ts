import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PaymentRow } from '#db/tables/payments.ts'
import type { GatewayState } from '#server/gateways/payment-gateways.ts'
import { eventWait, isOverByTime, judge, refundWait, sessionExpiry, statusOf } from './rules.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')
const MINUTE = 60_000

const states = [
  'creating',
  'open',
  'capturing',
  'paid',
  'expired',
  'abandoned',
  'failed',
  'refund_due',
  'refunded',
  'review',
] as const satisfies PaymentRow['state'][]

const payment = { id: 'pay_1', state: 'open', amount_minor: 5_000, currency: 'GBP' } as const
const paid: GatewayState = {
  state: 'paid',
  paymentId: 'pay_1',
  amountMinor: 5_000,
  currency: 'gbp',
  gwPayment: 'pi_1',
  returnedMinor: 0,
  email: null,
}

test('money that is exactly ours is taken, whatever state but a final one we were in', () => {
  for (const state of [
    'creating',
    'open',
    'capturing',
    'expired',
    'abandoned',
    'failed',
  ] as const) {
    expect(judge({ ...payment, state }, paid)).toBe('paid')
  }
})

test('a final state is never left, whatever the gateway says and however often', () => {
  const truths = fc.constantFrom(
    ...([
      'open',
      'approved',
      'pending',
      'paid',
      'declined',
      'closed',
      'missing',
      'unclear',
    ] as const),
  )
  const finals = fc.constantFrom(...(['paid', 'refund_due', 'refunded', 'review'] as const))
  fc.assert(
    fc.property(finals, truths, (state, truth) => {
      expect(judge({ ...payment, state }, { ...paid, state: truth })).toBe('nothing')
    }),
  )
})

test.each([
  ['amount', { amountMinor: 4_999 }],
  ['currency', { currency: 'usd' }],
  ['payment', { paymentId: 'pay_2' }],
  ['payment, left out', { paymentId: null }],
])('money of another %s is laid aside for staff', (_what, change) => {
  expect(judge(payment, { ...paid, ...change })).toBe('mismatch')
})

test('a closed session ends a live payment and no other', () => {
  for (const state of states) {
    const isLive = ['creating', 'open', 'capturing'].includes(state)
    expect(judge({ ...payment, state }, { ...paid, state: 'closed' })).toBe(
      isLive ? 'over' : 'nothing',
    )
  }
})

test('only a capture can be declined: a declined card leaves its session open', () => {
  expect(judge({ ...payment, state: 'capturing' }, { ...paid, state: 'declined' })).toBe('declined')
  expect(judge(payment, { ...paid, state: 'declined' })).toBe('nothing')
})

test('the documented status: live is pending, paid is completed, all else has failed', () => {
  const words = Object.fromEntries(
    states.map((state) => [state, statusOf({ state, reason: null }).status]),
  )
  expect(words).toEqual({
    creating: 'PENDING',
    open: 'PENDING',
    capturing: 'PENDING',
    paid: 'COMPLETED',
    expired: 'FAILED',
    abandoned: 'FAILED',
    failed: 'FAILED',
    refund_due: 'FAILED',
    refunded: 'FAILED',
    review: 'FAILED',
  })
})

test('a failure says why', () => {
  expect(statusOf({ state: 'failed', reason: 'declined' }).reason).toBe('declined')
  expect(statusOf({ state: 'abandoned', reason: 'cancelled' }).reason).toBe('cancelled')
  expect(statusOf({ state: 'expired', reason: 'expired' }).reason).toBe('expired')
  expect(statusOf({ state: 'refunded', reason: 'slot_lost' }).reason).toBe('slot_lost')
  expect(statusOf({ state: 'review', reason: 'mismatch' }).reason).toBe('review')
})

test('a session lives longer than the shortest one the gateway takes, in whole seconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: NOW, max: NOW + 1e9 }), (now) => {
      const expiry = sessionExpiry(now)
      expect(expiry % 1_000).toBe(0)
      // Holds even for a gateway whose clock is five minutes ahead of ours.
      expect(expiry - now).toBeGreaterThan(35 * MINUTE)
      expect(expiry - now).toBeLessThanOrEqual(36 * MINUTE + 1_000)
    }),
  )
})

test('a gateway that cannot be asked is believed to have closed only well after the time', () => {
  expect(isOverByTime({ expires_at: NOW }, NOW + 5 * MINUTE)).toBe(false)
  expect(isOverByTime({ expires_at: NOW }, NOW + 6 * MINUTE)).toBe(true)
})

test('refunds and events are tried again ever more rarely, but within ten minutes', () => {
  const refunds = [0, 1, 2, 3, 50].map(refundWait)
  expect(refunds).toEqual([10_000, 20_000, 40_000, 80_000, 600_000])
  expect([0, 1, 2, 50].map(eventWait)).toEqual([2_000, 4_000, 8_000, 600_000])
})
