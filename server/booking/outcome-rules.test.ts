import { expect, test } from 'vitest'
import type { Mark } from '#contract/outcomes.ts'
import {
  contestUntil,
  type Markable,
  markedAs,
  markingOf,
  retainedOfNoShow,
  whyNotMark,
} from './outcome-rules.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.parse('2026-03-10T10:00:00Z')
const END = START + 30 * MINUTE

const visit = (facts: Partial<Markable> = {}): Markable => ({
  state: 'confirmed',
  start_at: START,
  end_at: END,
  outcome: null,
  outcome_at: null,
  arrived_at: null,
  ...facts,
})

/** Both sides of each time limit: the last moment before and the first after. */
const BOUNDARIES: readonly [
  mark: Mark,
  at: number,
  provider: string | null,
  staff: string | null,
][] = [
  ['arrived', START - 60 * MINUTE - 1, 'outcome_too_early', 'outcome_too_early'],
  ['arrived', START - 60 * MINUTE, null, null],
  ['arrived', END + 48 * HOUR - 1, null, null],
  ['arrived', END + 48 * HOUR, 'outcome_closed', null],
  ['none', START - 60 * MINUTE - 1, 'outcome_too_early', 'outcome_too_early'],
  ['none', START - 60 * MINUTE, null, null],
  ['none', END + 48 * HOUR, 'outcome_closed', null],
  ['completed', START - 1, 'outcome_too_early', 'outcome_too_early'],
  ['completed', START, null, null],
  ['completed', END + 48 * HOUR - 1, null, null],
  ['completed', END + 48 * HOUR, 'outcome_closed', null],
  ['no_show', START + 10 * MINUTE - 1, 'outcome_too_early', 'outcome_too_early'],
  ['no_show', START + 10 * MINUTE, null, null],
  ['no_show', END + 48 * HOUR - 1, null, null],
  ['no_show', END + 48 * HOUR, 'outcome_closed', null],
  ['not_held', START - 1, 'outcome_too_early', 'outcome_too_early'],
  ['not_held', START, null, null],
  ['not_held', END + 48 * HOUR - 1, null, null],
  ['not_held', END + 48 * HOUR, 'outcome_closed', null],
]

test.each(BOUNDARIES)('%s at %d: the provider %s, staff %s', (mark, now, provider, staff) => {
  for (const outcome of [null, 'completed', 'no_show'] as const) {
    const one = visit({ outcome, outcome_at: outcome === null ? null : START })
    expect(whyNotMark(one, mark, { now, by: 'provider' })).toBe(provider)
    expect(whyNotMark(one, mark, { now, by: 'staff' })).toBe(staff)
  }
})

const MARKS: readonly Mark[] = ['arrived', 'completed', 'no_show', 'not_held', 'none']

test.each(MARKS)('a refunded or unbooked visit cannot be marked %s', (mark) => {
  for (const by of ['provider', 'staff'] as const) {
    const now = END
    const gone = visit({ outcome: 'not_held', outcome_at: END })
    expect(whyNotMark(gone, mark, { now, by })).toBe('outcome_final')
    for (const state of ['held', 'released', 'cancelled'] as const) {
      expect(whyNotMark(visit({ state }), mark, { now, by })).toBe('outcome_not_booked')
    }
  }
})

test('each mark replaces the last, and a repeated mark keeps its time', () => {
  const now = END
  const arrived = visit({ arrived_at: START })
  const noShow = visit({ outcome: 'no_show', outcome_at: START + HOUR })
  expect(markedAs(visit(), 'arrived', now)).toEqual({
    outcome: null,
    outcome_at: null,
    arrived_at: now,
  })
  expect(markedAs(arrived, 'arrived', now).arrived_at).toBe(START)
  expect(markedAs(arrived, 'completed', now)).toEqual({
    outcome: 'completed',
    outcome_at: now,
    arrived_at: START,
  })
  expect(markedAs(arrived, 'no_show', now).arrived_at).toBeNull()
  expect(markedAs(noShow, 'no_show', now).outcome_at).toBe(START + HOUR)
  expect(markedAs(noShow, 'arrived', now)).toEqual({
    outcome: null,
    outcome_at: null,
    arrived_at: now,
  })
  expect(markedAs(noShow, 'none', now)).toEqual({
    outcome: null,
    outcome_at: null,
    arrived_at: null,
  })
})

test('a provider is offered the marks that are new and possible now', () => {
  const can = (one: Markable, now: number) => markingOf(one, now).can
  expect(can(visit(), START - 2 * HOUR)).toEqual([])
  expect(can(visit(), START - HOUR)).toEqual(['arrived'])
  expect(can(visit(), START)).toEqual(['arrived', 'completed', 'not_held'])
  expect(can(visit({ arrived_at: START }), END)).toEqual([
    'completed',
    'no_show',
    'not_held',
    'none',
  ])
  expect(can(visit({ outcome: 'no_show', outcome_at: END }), END)).toEqual([
    'arrived',
    'completed',
    'not_held',
    'none',
  ])
  expect(can(visit({ outcome: 'completed', outcome_at: END }), END + 48 * HOUR)).toEqual([])
  expect(can(visit({ outcome: 'not_held', outcome_at: END }), END)).toEqual([])
})

test('a no-show can be contested for seven days', () => {
  expect(contestUntil({ outcome: 'no_show', outcome_at: END })).toBe(END + 7 * 24 * HOUR)
  expect(contestUntil({ outcome: 'completed', outcome_at: END })).toBeNull()
  expect(contestUntil({ outcome: null, outcome_at: null })).toBeNull()
})

test('a share of a missed visit’s price is kept, at most what is left', () => {
  const prices = { first_minor: 6_001, follow_minor: 4_000, currency: 'GBP' as const }
  const first = (percent: number) => {
    return { ...prices, visit_type: 'first_visit' as const, no_show_percent: percent }
  }
  expect(retainedOfNoShow(first(100), 6_001)).toBe(6_001)
  expect(retainedOfNoShow(first(50), 6_001)).toBe(3_000)
  expect(retainedOfNoShow(first(0), 6_001)).toBe(0)
  expect(retainedOfNoShow(first(50), 1_000)).toBe(1_000)
  expect(retainedOfNoShow({ ...first(50), visit_type: 'follow_up' }, 4_000)).toBe(2_000)
})
