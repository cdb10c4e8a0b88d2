import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REFUND_LIMIT } from '#contract/payments.ts'
import type { PaymentRow, RefundRow } from '#db/tables/payments.ts'
import type { GatewayState } from '#server/gateways/payment-gateways.ts'
import {
  comparedFrom,
  eventWait,
  isComparisonDue,
  isOverByTime,
  isOverLimit,
  judge,
  judgeCharge,
  refundableOf,
  refundWait,
  sessionExpiry,
  statusOf,
} from './rules.ts'

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

test('an exactly matching payment is accepted from every state but a final one', () => {
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

test('a final state is never left, whatever the gateway says', () => {
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
])('money with another %s is left to staff', (_what, change) => {
  expect(judge(payment, { ...paid, ...change })).toBe('mismatch')
})

test('a closed session ends only a live payment', () => {
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

test('the documented status: live is pending, paid is completed, everything else has failed', () => {
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

test('a failure has a reason', () => {
  expect(statusOf({ state: 'failed', reason: 'declined' }).reason).toBe('declined')
  expect(statusOf({ state: 'abandoned', reason: 'cancelled' }).reason).toBe('cancelled')
  expect(statusOf({ state: 'expired', reason: 'expired' }).reason).toBe('expired')
  expect(statusOf({ state: 'refunded', reason: 'slot_lost' }).reason).toBe('slot_lost')
  expect(statusOf({ state: 'review', reason: 'mismatch' }).reason).toBe('review')
})

test('a session lasts longer than the gateway’s minimum, in whole seconds', () => {
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

test('with an unreachable gateway a session counts as closed only well after its end', () => {
  expect(isOverByTime({ expires_at: NOW }, NOW + 5 * MINUTE)).toBe(false)
  expect(isOverByTime({ expires_at: NOW }, NOW + 6 * MINUTE)).toBe(true)
})

test('refunds and events are retried at growing intervals of at most ten minutes', () => {
  const refunds = [0, 1, 2, 3, 50].map(refundWait)
  expect(refunds).toEqual([10_000, 20_000, 40_000, 80_000, 600_000])
  expect([0, 1, 2, 50].map(eventWait)).toEqual([2_000, 4_000, 8_000, 600_000])
})

const LIMIT = REFUND_LIMIT['GBP'] ?? 0

const refundRow = (
  minor: number,
  more: Partial<Pick<RefundRow, 'state' | 'reason' | 'actor_id'>> = {},
) => ({ amount_minor: minor, state: 'done', reason: 'staff', actor_id: null, ...more }) as const

const staff = new Map([['usr_staff', 'admin@demo.example']])

test.each([
  ['nothing', false, []],
  ['a penny by staff', true, [refundRow(1)]],
  ['a penny out of review', true, [refundRow(1, { reason: 'review' })]],
  [
    'a penny of a visit that staff cancelled',
    true,
    [refundRow(1, { reason: 'cancelled', actor_id: 'usr_staff' })],
  ],
  [
    'a penny of a visit that its patient cancelled',
    false,
    [refundRow(1, { reason: 'cancelled', actor_id: 'usr_patient' })],
  ],
  ['a penny by the program itself', false, [refundRow(1, { reason: 'slot_lost' })]],
  ['a penny that did not arrive', false, [refundRow(1, { state: 'failed' })]],
  ['a penny on its way', true, [refundRow(1, { state: 'due' })]],
] as const)(
  'refunding the limit itself after %s needs a superuser: %s',
  (_what, isOver, refunds) => {
    const more = { minor: LIMIT, currency: 'GBP' }
    expect(isOverLimit(more, { refunds, staff })).toEqual({ limit: LIMIT, isOver })
  },
)

test('refunding nothing is within the limit, whatever was refunded before', () => {
  const nothing = { minor: 0, currency: 'GBP' }
  expect(isOverLimit(nothing, { refunds: [refundRow(LIMIT + 1)], staff })).toEqual({
    limit: LIMIT,
    isOver: false,
  })
})

test('a currency without a limit can be refunded by superusers only', () => {
  expect(isOverLimit({ minor: 1, currency: 'EUR' }, { refunds: [], staff })).toEqual({
    limit: 0,
    isOver: true,
  })
})

test('what is left of a booked visit’s payment can be refunded', () => {
  const received = {
    state: 'paid',
    amount_minor: 6_000,
    currency: 'GBP',
    taken_minor: 7_000,
    taken_currency: 'GBP',
  } as const
  expect(refundableOf(received, [refundRow(1_000)])).toBe(6_000)
  expect(refundableOf({ ...received, taken_minor: null }, [refundRow(1_000)])).toBe(5_000)
  expect(refundableOf(received, [refundRow(1_000, { state: 'failed' })])).toBe(7_000)
  expect(refundableOf(received, [refundRow(8_000)])).toBe(0)
  expect(refundableOf({ ...received, state: 'review' }, [])).toBe(0)
})

const HOUR = 3_600_000
const DAY = 24 * HOUR
const COMPARED_AT = 100 * DAY

const taken = { gwPayment: 'pi_1', paymentId: 'pay_1', amountMinor: 6_000, currency: 'GBP' }
const bookedPayment = {
  state: 'paid',
  amount_minor: 6_000,
  currency: 'GBP',
  taken_minor: null,
  taken_currency: null,
  gw_payment: 'pi_1',
  created_at: COMPARED_AT - DAY,
} as const
const open = { ...bookedPayment, state: 'open', gw_payment: null } as const
const ours = { payment: bookedPayment, isVisited: true, refunds: [], now: COMPARED_AT }
const back = { amount_minor: 6_000, state: 'done', dealt_at: null } as const
const unbooked = {
  ...ours,
  payment: { ...bookedPayment, state: 'refunded' },
  isVisited: false,
} as const

test.each([
  ['what a visit was booked with', null, ours],
  ['money of a visit that is not there', 'no_visit', { ...ours, isVisited: false }],
  [
    'less than was asked for',
    'amount',
    { ...ours, payment: { ...bookedPayment, amount_minor: 6_001 } },
  ],
  ['another currency', 'amount', { ...ours, payment: { ...bookedPayment, currency: 'USD' } }],
  [
    'another amount that staff have accepted',
    null,
    {
      ...ours,
      payment: { ...bookedPayment, amount_minor: 5_000, taken_minor: 6_000, taken_currency: 'GBP' },
    },
  ],
  ['a second charge', 'no_payment', { ...ours, payment: { ...bookedPayment, gw_payment: 'pi_0' } }],
  ['what staff were told of', null, { ...ours, payment: { ...bookedPayment, state: 'review' } }],
  ['what went back', null, { ...unbooked, refunds: [back] }],
  ['what went back in part', 'no_visit', { ...unbooked, refunds: [{ ...back, amount_minor: 1 }] }],
  ['what staff pay back', null, { ...unbooked, refunds: [{ ...back, state: 'failed' }] }],
  [
    'what nobody paid back after all',
    'no_visit',
    { ...unbooked, refunds: [{ ...back, state: 'failed', dealt_at: COMPARED_AT }] },
  ],
  [
    'what is being settled',
    null,
    { ...ours, payment: { ...open, created_at: COMPARED_AT - HOUR + 1 } },
  ],
  [
    'what nobody settles',
    'no_visit',
    { ...ours, payment: { ...open, created_at: COMPARED_AT - HOUR } },
  ],
] as const)('the reconciliation result for %s: %s', (_what, kind, known) => {
  expect(judgeCharge(taken, known)).toBe(kind)
})

test('the reconciliation is due once a day, at once the first time, and when the clock was set back', () => {
  expect(isComparisonDue(undefined, COMPARED_AT)).toBe(true)
  expect(isComparisonDue(COMPARED_AT - DAY + 1, COMPARED_AT)).toBe(false)
  expect(isComparisonDue(COMPARED_AT - DAY, COMPARED_AT)).toBe(true)
  expect(isComparisonDue(COMPARED_AT + 1, COMPARED_AT)).toBe(true)
})

test('the reconciliation overlaps the last one by three days, and never lies in the future', () => {
  expect(comparedFrom(COMPARED_AT - DAY, COMPARED_AT)).toBe(COMPARED_AT - 4 * DAY)
  expect(comparedFrom(undefined, COMPARED_AT)).toBe(COMPARED_AT - 3 * DAY)
  expect(comparedFrom(COMPARED_AT + DAY, COMPARED_AT)).toBe(COMPARED_AT - 3 * DAY)
})
