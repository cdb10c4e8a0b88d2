import type { Availability, AvailabilitySettings, SaveHoursInput } from '#contract/availability.ts'
import { DAY_END, STEP, type Time } from './wall-times.ts'

/** One day of the grid: a weekday of a week of the rotation, at one place. */
export type DayRef = { placeId: string; week: number; weekday: number }

/** Hours being edited; `id` is unique within this screen only. */
export type DraftRange = DayRef & { id: number; from: Time; to: Time }

/** Weekly hours and settings as displayed. */
export type Draft = {
  settings: AvailabilitySettings
  /** Includes weeks the rotation no longer has, so that re-adding a week restores its hours. */
  ranges: readonly DraftRange[]
  /** Hours of days that were switched off, restored when the day is switched on. */
  asleep: readonly DraftRange[]
}

const DEFAULT_RANGE = { from: 540, to: 1_020 }
/** Hours of each day of the suggested week, with an hour for lunch. */
const DEFAULT_DAY = [
  { from: 540, to: 750 },
  { from: 810, to: 1_020 },
]

export function isOnDay({ placeId, week, weekday }: DayRef, range: DayRef): boolean {
  return range.placeId === placeId && range.week === week && range.weekday === weekday
}

export function rangesOn(draft: Draft, day: DayRef): DraftRange[] {
  return draft.ranges.filter((range) => isOnDay(day, range))
}

/** The draft for the saved availability. */
export function draftOf({ settings, hours }: Pick<Availability, 'settings' | 'hours'>): Draft {
  return { settings, ranges: hours.map((range, id) => ({ id, ...range })), asleep: [] }
}

function nextId({ ranges, asleep }: Draft): number {
  return Math.max(0, ...[...ranges, ...asleep].map(({ id }) => id)) + 1
}

function withRanges(draft: Draft, added: readonly Omit<DraftRange, 'id'>[]): Draft {
  const first = nextId(draft)
  const ranges = added.map((range, at) => ({ ...range, id: first + at }))
  return { ...draft, ranges: [...draft.ranges, ...ranges] }
}

/** Monday to Friday with an hour for lunch, at one place, in the first week. */
export function withDefaultWeek(draft: Draft, placeId: string): Draft {
  const week = [1, 2, 3, 4, 5].flatMap((weekday) =>
    DEFAULT_DAY.map((range) => ({ placeId, week: 1, weekday, ...range })),
  )
  return withRanges(draft, week)
}

/** Switching off remembers the hours; switching on restores them, or else sets nine to five. */
export function toggleDay(draft: Draft, day: DayRef): Draft {
  const active = rangesOn(draft, day)
  const { ranges, asleep } = draft
  if (active.length > 0) {
    return {
      ...draft,
      ranges: ranges.filter((range) => !isOnDay(day, range)),
      asleep: [...asleep.filter((range) => !isOnDay(day, range)), ...active],
    }
  }
  const stored = asleep.filter((range) => isOnDay(day, range))
  if (stored.length === 0) return withRanges(draft, [{ ...day, ...DEFAULT_RANGE }])
  return {
    ...draft,
    ranges: [...ranges, ...stored],
    asleep: asleep.filter((range) => !isOnDay(day, range)),
  }
}

/** Changes one time. A start moved past its end pushes the end to one step later. */
export function setTime(draft: Draft, id: number, part: { from: Time } | { to: Time }): Draft {
  const ranges = draft.ranges.map((range) => {
    if (range.id !== id) return range
    const next = { ...range, ...part }
    const isPushed =
      'from' in part &&
      typeof next.from === 'number' &&
      typeof next.to === 'number' &&
      next.to <= next.from
    return isPushed ? { ...next, to: Math.min(DAY_END, Number(next.from) + STEP) } : next
  })
  return { ...draft, ranges }
}

export function removeRange(draft: Draft, id: number): Draft {
  return { ...draft, ranges: draft.ranges.filter((range) => range.id !== id) }
}

/** Copies the hours of a day to other weekdays of the same week and place. */
export function copyDay(draft: Draft, day: DayRef, weekdays: readonly number[]): Draft {
  const source = rangesOn(draft, day)
  const isTarget = (range: DayRef) =>
    weekdays.some((weekday) => isOnDay({ ...day, weekday }, range) && weekday !== day.weekday)
  const rest = { ...draft, ranges: draft.ranges.filter((range) => !isTarget(range)) }
  const copies = weekdays
    .filter((weekday) => weekday !== day.weekday)
    .flatMap((weekday) => source.map(({ id: _id, ...range }) => ({ ...range, weekday })))
  return withRanges(rest, copies)
}

/** Copies one week of the rotation to another at every place; null empties it. */
export function copyWeek(draft: Draft, week: number, from: number | null): Draft {
  const rest = { ...draft, ranges: draft.ranges.filter((range) => range.week !== week) }
  const copies = draft.ranges
    .filter((range) => range.week === from)
    .map(({ id: _id, ...range }) => ({ ...range, week }))
  return withRanges(rest, copies)
}

/** Sets the number of weeks in the rotation; a new week starts as a copy of the first. */
export function setWeeks(draft: Draft, weeks: number): Draft {
  const { settings } = draft
  const next = { ...draft, settings: { ...settings, rotation: { ...settings.rotation, weeks } } }
  return Array.from({ length: weeks }, (_, at) => at + 1)
    .filter((week) => !draft.ranges.some((range) => range.week === week))
    .reduce((result, week) => copyWeek(result, week, 1), next)
}

/** The active hours: those of weeks within the rotation. */
export function activeRanges({ ranges, settings }: Draft): DraftRange[] {
  return ranges.filter(({ week }) => week <= settings.rotation.weeks)
}

/** The draft as request input, in an order independent of edit history. Requires a draft without problems. */
export function toInput(draft: Draft): Pick<SaveHoursInput, 'settings' | 'hours'> {
  const hours = activeRanges(draft).map(({ id: _id, from, to, ...day }) => ({
    ...day,
    from: Number(from),
    to: Number(to),
  }))
  const sorted = hours.toSorted(
    (a, b) =>
      a.week - b.week ||
      a.weekday - b.weekday ||
      a.from - b.from ||
      (a.placeId < b.placeId ? -1 : 1),
  )
  return { settings: draft.settings, hours: sorted }
}
