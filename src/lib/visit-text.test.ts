import { describe, expect, test } from 'vitest'
import { cancellationSentence, missedSentence, policySentence, twoClocks } from './visit-text.ts'

test.each([
  [24, 50, 'Free cancellation until 24 hours before. After that 50% of the fee is charged.'],
  [1, 100, 'Free cancellation until 1 hour before. After that there is no refund.'],
  [24, 0, 'Free cancellation until the visit begins.'],
  [0, 50, 'Free cancellation until the visit begins.'],
])('%i free hours and then %i%%', (freeHours, latePercent, sentence) => {
  expect(policySentence({ freeHours, latePercent })).toBe(sentence)
})

const gbp = (minor: number) => ({ minor, currency: 'GBP' as const })

function visit(kept: number, isFree: boolean, freeUntil = '2026-12-01T09:00:00Z') {
  return {
    startsAt: '2026-12-02T09:00:00Z',
    timeZone: 'Europe/London',
    cancellation: {
      freeHours: 24,
      latePercent: 50,
      noShowPercent: 100,
      freeUntil,
      isFree,
      kept: { first_visit: gbp(kept), follow_up: gbp(0) },
    },
  }
}

test.each([
  [
    visit(3_000, true),
    'Free cancellation until Tue 1 Dec, 09:00. After that, cancelling costs £30.00 of £60.00.',
  ],
  [visit(6_000, true), 'Free cancellation until Tue 1 Dec, 09:00. After that there is no refund.'],
  [visit(3_000, false), 'Cancelling costs £30.00 of £60.00.'],
  [visit(6_000, false), 'If you cancel, there is no refund.'],
  [visit(0, false), 'Free cancellation until the visit begins.'],
  [visit(3_000, true, '2026-12-02T09:00:00Z'), 'Free cancellation until the visit begins.'],
])('a policy is told as a date and an amount (%#)', (of, sentence) => {
  expect(cancellationSentence(of, 'first_visit', gbp(6_000))).toBe(sentence)
})

test.each([
  [100, 'If you miss it, there’s no refund.'],
  [50, 'If you miss it, £30.00 of £60.00 isn’t refunded.'],
  [0, 'If you miss it, you’re refunded in full.'],
])('what missing a visit costs is told as well: %i%%', (noShowPercent, sentence) => {
  const { cancellation, ...rest } = visit(3_000, true)
  const of = { ...rest, cancellation: { ...cancellation, noShowPercent } }
  expect(missedSentence(of, gbp(6_000))).toBe(sentence)
})

describe('the start of a visit by video on two clocks', () => {
  test.each([
    [
      '2026-03-05T14:30:00Z',
      'Europe/London',
      'America/New_York',
      '14:30 in London · 09:30 where you are',
    ],
    [
      '2026-03-05T20:30:00Z',
      'America/Chicago',
      'America/Los_Angeles',
      '2:30 pm Central Time · 12:30 pm where you are',
    ],
    [
      '2026-03-05T23:30:00Z',
      'Europe/London',
      'Asia/Tokyo',
      '23:30 in London · Fri 6 Mar, 08:30 where you are',
    ],
    ['2026-03-05T14:30:00Z', 'Europe/London', 'Europe/Lisbon', null],
    ['2026-03-05T14:30:00Z', 'Europe/London', 'Europe/London', null],
  ])('%s in %s, seen from %s', (at, timeZone, own, words) => {
    expect(twoClocks(at, timeZone, own)).toBe(words)
  })
})
