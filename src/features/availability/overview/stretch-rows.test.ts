import { expect, test } from 'vitest'
import type { Explanation, TimeReason } from '#contract/availability.ts'
import { barParts, mergedRows } from './stretch-rows.ts'

const stretch = (from: number, to: number, reason: TimeReason) => ({
  startsAt: new Date(Date.UTC(2026, 2, 2, from)).toISOString(),
  endsAt: new Date(Date.UTC(2026, 2, 2, to)).toISOString(),
  reason,
  placeId: null,
  from: '',
  to: '',
  label: '',
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

const placeId = `plc_${'0'.repeat(26)}`

/** Consecutive stretches of a day from nine o'clock, each with its minutes and reason. */
function day(...parts: [minutes: number, reason: TimeReason, words: string][]): Explanation {
  let at = Date.parse('2026-03-02T09:00:00Z')
  const stretches = parts.map(([minutes, reason, words]) => {
    const startsAt = new Date(at).toISOString()
    at += minutes * 60_000
    const span = { startsAt, endsAt: new Date(at).toISOString(), from: '', to: '' }
    return { ...span, reason, placeId, label: words, text: `x: ${words}` }
  })
  return { timeZone: 'Europe/London', stretches, answer: null }
}

const texts = (explanation: Explanation) => mergedRows(explanation).map(({ text }) => text)

test('hours that a buffer cuts into visits are one row', () => {
  const free = [30, 'free', 'Free'] as const
  const buffer = [10, 'buffer', 'Time between visits'] as const
  expect(texts(day([...free], [...buffer], [...free], [...buffer], [...free]))).toEqual([
    '09:00 to 10:50: Free, 30 minutes each with 10 minutes between',
  ])
})

test('what is of another kind or length stays a row of its own, as the server says it', () => {
  const rows = texts(
    day(
      [30, 'free', 'Free'],
      [10, 'buffer', 'Time between visits'],
      [30, 'booked', 'Booked visit'],
      [10, 'buffer', 'Time between visits'],
      [30, 'free', 'Free'],
      [10, 'buffer', 'Time between visits'],
      [30, 'free', 'Free'],
      [10, 'buffer', 'Time between visits'],
      [20, 'free', 'Free'],
    ),
  )
  expect(rows).toEqual([
    'x: Free',
    'x: Time between visits',
    'x: Booked visit',
    'x: Time between visits',
    '10:20 to 11:30: Free, 30 minutes each with 10 minutes between',
    'x: Time between visits',
    'x: Free',
  ])
})

test('times of two places are two rows', () => {
  const explanation = day(
    [30, 'free', 'Free'],
    [10, 'buffer', 'Time between visits'],
    [30, 'free', 'Free'],
  )
  const [first, buffer, last] = explanation.stretches
  if (!first || !buffer || !last) throw new Error('There are three.')
  const stretches = [first, buffer, { ...last, placeId: `plc_${'1'.repeat(26)}` }]
  expect(mergedRows({ ...explanation, stretches })).toHaveLength(3)
})
