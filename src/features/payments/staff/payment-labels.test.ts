import { expect, test } from 'vitest'
import type { TimelineEntry } from '#contract/payments.ts'
import { entryTitle } from './payment-labels.ts'

const entry: TimelineEntry = {
  at: '2026-03-02T09:00:00.000Z',
  what: 'refund_dealt',
  who: 'ada@staff.example',
  from: 'failed',
  to: 'done',
  fromZone: null,
  toZone: null,
  amount: null,
  reference: null,
  note: null,
}

test('a failed refund marked as refunded has the name of the button in the history', () => {
  expect(entryTitle(entry)).toBe('Marked as refunded')
  expect(entryTitle({ ...entry, to: 'failed' })).toBe('Failed refund resolved')
})
