import { expect, test } from 'vitest'
import type { TimeReason } from '#contract/availability.ts'
import { barParts } from './day-stretches.tsx'

const stretch = (from: number, to: number, reason: TimeReason) => ({
  startsAt: new Date(Date.UTC(2026, 2, 2, from)).toISOString(),
  endsAt: new Date(Date.UTC(2026, 2, 2, to)).toISOString(),
  reason,
  placeId: null,
  text: '',
})

test('the night before and after the hours is cut to one hour each', () => {
  const bar = barParts([
    stretch(0, 9, 'outside_hours'),
    stretch(9, 12, 'free'),
    stretch(12, 13, 'outside_hours'),
    stretch(13, 24, 'outside_hours'),
  ])
  expect(bar.parts.map(({ reason, minutes }) => [reason, minutes])).toEqual([
    ['outside_hours', 60],
    ['free', 180],
    ['outside_hours', 60],
  ])
  expect(bar.startsAt).toBe('2026-03-02T08:00:00.000Z')
  expect(bar.endsAt).toBe('2026-03-02T13:00:00.000Z')
})

test('a day of one kind is shown whole, and neighbours of one kind are one', () => {
  const bar = barParts([stretch(0, 10, 'outside_hours'), stretch(10, 24, 'outside_hours')])
  expect(bar.parts).toMatchObject([{ reason: 'outside_hours', minutes: 1_440 }])
  expect(bar.endsAt).toBe('2026-03-03T00:00:00.000Z')
})
