import { expect, test } from 'vitest'
import { REFUND_LIMIT } from '#contract/payments-staff.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import { isOverLimit, refundableOf } from './refund-rules.ts'

const LIMIT = REFUND_LIMIT['GBP'] ?? 0

const refundRow = (minor: number, more: Partial<Pick<RefundRow, 'state' | 'reason'>> = {}) =>
  ({ amount_minor: minor, state: 'done', reason: 'staff', ...more }) as const

test.each([
  ['nothing', false, []],
  ['a penny by staff', true, [refundRow(1)]],
  ['a penny out of review', true, [refundRow(1, { reason: 'review' })]],
  ['a penny by the program itself', false, [refundRow(1, { reason: 'slot_lost' })]],
  ['a penny that did not arrive', false, [refundRow(1, { state: 'failed' })]],
  ['a penny on its way', true, [refundRow(1, { state: 'due' })]],
] as const)('the limit itself, given back after %s, is over it: %s', (_what, isOver, refunds) => {
  const more = { minor: LIMIT, currency: 'GBP' }
  expect(isOverLimit(more, refunds)).toEqual({ limit: LIMIT, isOver })
})

test('giving nothing back is within the limit, whatever superusers gave back before', () => {
  const nothing = { minor: 0, currency: 'GBP' }
  expect(isOverLimit(nothing, [refundRow(LIMIT + 1)])).toEqual({ limit: LIMIT, isOver: false })
})

test('a currency without a limit of its own is given back by superusers only', () => {
  expect(isOverLimit({ minor: 1, currency: 'EUR' }, [])).toEqual({ limit: 0, isOver: true })
})

test('what came in less what went back may still go back, of what a visit was booked with', () => {
  const payment = {
    state: 'paid',
    amount_minor: 6_000,
    currency: 'GBP',
    taken_minor: 7_000,
    taken_currency: 'GBP',
  } as const
  expect(refundableOf(payment, [refundRow(1_000)])).toBe(6_000)
  expect(refundableOf({ ...payment, taken_minor: null }, [refundRow(1_000)])).toBe(5_000)
  expect(refundableOf(payment, [refundRow(1_000, { state: 'failed' })])).toBe(7_000)
  expect(refundableOf(payment, [refundRow(8_000)])).toBe(0)
  expect(refundableOf({ ...payment, state: 'review' }, [])).toBe(0)
})
