import type { Availability, AvailabilitySettings, SaveHoursInput } from '#contract/availability.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { DAY_END, formatRange, STEP, type Time } from './hours-format.ts'

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

function isOnDay({ placeId, week, weekday }: DayRef, range: DayRef): boolean {
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

/** Sets the number of weeks in the rotation; a new week starts as a copy of the first, and a closed one stays closed. */
export function setWeeks(draft: Draft, weeks: number): Draft {
  const { settings } = draft
  const known = settings.rotation.weeks
  const next = { ...draft, settings: { ...settings, rotation: { ...settings.rotation, weeks } } }
  return Array.from({ length: weeks }, (_, at) => at + 1)
    .filter((week) => week > known && !draft.ranges.some((range) => range.week === week))
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

type Known = Pick<Availability, 'places' | 'consultationMinutes'> & { hour12: boolean }
type Minutes = { from: number; to: number }

/** A problem with hours, and which of their two fields it belongs to. */
export type RangeProblem = { field: 'from' | 'to'; message: string }

function toMinutes({ from, to }: DraftRange): Minutes | null {
  return typeof from === 'number' && typeof to === 'number' ? { from, to } : null
}

function overlaps(one: Minutes, other: Minutes): boolean {
  return one.from < other.to && other.from < one.to
}

/** Hours of the same week and weekday, at all places in the same time zone. */
function rangesOfSameDay(draft: Draft, day: DayRef, places: Known['places']): DraftRange[] {
  const zoneOf = (id: string) => places.find((place) => place.id === id)?.timeZone
  return activeRanges(draft).filter(
    (range) =>
      range.week === day.week &&
      range.weekday === day.weekday &&
      zoneOf(range.placeId) === zoneOf(day.placeId),
  )
}

export const NO_TIME = 'Enter a time, such as 9:30.'

function problemOf(draft: Draft, range: DraftRange, known: Known): RangeProblem | null {
  if (typeof range.from !== 'number') return { field: 'from', message: NO_TIME }
  if (typeof range.to !== 'number') return { field: 'to', message: NO_TIME }
  const mine = { from: range.from, to: range.to }
  if (mine.to <= mine.from) return { field: 'to', message: errorMessage('hours_inverted') }
  if (mine.to - mine.from < known.consultationMinutes) {
    const details = { minutes: known.consultationMinutes }
    return { field: 'to', message: errorMessage('hours_too_short', details) }
  }
  const other = rangesOfSameDay(draft, range, known.places).find((one) => {
    const minutes = toMinutes(one)
    return one.id !== range.id && minutes !== null && overlaps(mine, minutes)
  })
  if (other === undefined) return null
  const place = known.places.find(({ id }) => id === other.placeId)?.name ?? ''
  const where = other.placeId === range.placeId ? '' : ` at ${place}`
  return {
    field: 'from',
    message: `These hours overlap ${formatRange(other, known.hour12)}${where}.`,
  }
}

/** Problems of the active hours, by range id. */
export function problemsOf(draft: Draft, known: Known): ReadonlyMap<number, RangeProblem> {
  const found = activeRanges(draft).map(
    (range) => [range.id, problemOf(draft, range, known)] as const,
  )
  return new Map(found.flatMap(([id, problem]) => (problem === null ? [] : [[id, problem]])))
}

/** Minutes left free after the preceding hours, typically for lunch. */
const BREAK_MINUTES = 60
const DEFAULT_MINUTES = 60
/** Earliest suggested start, in minutes after midnight; earlier only if no other time is left. */
const EARLIEST_START = 420

const roundUpToStep = (minutes: number) => Math.ceil(minutes / STEP) * STEP

/** Suggests the next free hours of a day, after its last hours if there is room; null on a full day. */
export function nextFree(draft: Draft, day: DayRef, known: Known): Minutes | null {
  const taken = rangesOfSameDay(draft, day, known.places).flatMap((one) => toMinutes(one) ?? [])
  const own = rangesOn(draft, day).flatMap((one) => toMinutes(one) ?? [])
  const length = Math.max(DEFAULT_MINUTES, roundUpToStep(known.consultationMinutes))
  const last = roundUpToStep(Math.max(0, ...own.map(({ to }) => to)))
  const starts = [
    last + BREAK_MINUTES,
    last,
    ...Array.from({ length: DAY_END / STEP }, (_, at) => (EARLIEST_START + at * STEP) % DAY_END),
  ]
  const from = starts.find(
    (start) =>
      start + length <= DAY_END &&
      !taken.some((one) => overlaps(one, { from: start, to: start + length })),
  )
  return from === undefined ? null : { from, to: from + length }
}

export function addRange(draft: Draft, day: DayRef, known: Known): Draft {
  const free = nextFree(draft, day, known)
  return free === null ? draft : withRanges(draft, [{ ...day, ...free }])
}

const dayKey = ({ placeId, week, weekday }: DayRef) => `${week} ${weekday} ${placeId}`

function byDay(draft: Draft): Map<string, string> {
  const days = new Map<string, string[]>()
  for (const range of activeRanges(draft)) {
    const key = dayKey(range)
    days.set(key, [...(days.get(key) ?? []), `${range.from}-${range.to}`])
  }
  return new Map([...days].map(([key, texts]) => [key, texts.toSorted().join()]))
}

function settingsChanged(one: AvailabilitySettings, other: AvailabilitySettings): number {
  return [
    one.noticeMinutes !== other.noticeMinutes,
    one.horizonDays !== other.horizonDays,
    one.bufferMinutes !== other.bufferMinutes,
    one.closedOnHolidays !== other.closedOnHolidays,
    one.rotation.weeks !== other.rotation.weeks || one.rotation.from !== other.rotation.from,
  ].filter(Boolean).length
}

/** Number of days in added weeks that differ from week 1, of which an added week is a copy. */
function newWeekEdits(before: Draft, after: Draft): number {
  const [old, now] = [byDay(before), byDay(after)]
  const rests = new Set([...old.keys(), ...now.keys()].map((key) => key.slice(2)))
  const first = before.settings.rotation.weeks + 1
  const count = Math.max(0, after.settings.rotation.weeks - first + 1)
  return Array.from({ length: count }, (_, at) => first + at)
    .flatMap((week) =>
      [...rests].map((rest) => now.get(`${week} ${rest}`) !== old.get(`1 ${rest}`)),
    )
    .filter(Boolean).length
}

/** Number of days and settings that differ. Adding or removing a week counts as one change. */
export function countChanges(before: Draft, after: Draft): number {
  const weeks = Math.min(before.settings.rotation.weeks, after.settings.rotation.weeks)
  const [old, now] = [byDay(before), byDay(after)]
  const days = [...new Set([...old.keys(), ...now.keys()])].filter(
    (key) => Number(key.slice(0, 1)) <= weeks && old.get(key) !== now.get(key),
  )
  return (
    days.length + settingsChanged(before.settings, after.settings) + newWeekEdits(before, after)
  )
}
