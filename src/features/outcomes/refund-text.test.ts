import { expect, test } from 'vitest'
import { refundText } from './refund-text.ts'

test('an outcome says what it refunds, or that nothing is left', () => {
  expect(refundText({ minor: 6000, currency: 'GBP' })).toBe('Refunds £60.00.')
  expect(refundText({ minor: 0, currency: 'GBP' })).toBe('There’s nothing left to refund.')
})
