import { expect, test } from 'vitest'
import { policySentence } from './words.ts'

test.each([
  [24, 50, 'Free cancellation until 24 hours before. After that 50% of the fee is charged.'],
  [1, 100, 'Free cancellation until 1 hour before. After that there is no refund.'],
  [24, 0, 'Free cancellation until the visit begins.'],
  [0, 50, 'Free cancellation until the visit begins.'],
])('%i free hours and then %i%%', (freeHours, latePercent, sentence) => {
  expect(policySentence({ freeHours, latePercent })).toBe(sentence)
})
