import type { Availability, AvailabilitySettings } from '#contract/availability.ts'
import { errorMessage } from '#contract/sentences.ts'
import { activeRanges, type DayRef, type Draft, type DraftRange, isOnDay } from './draft.ts'
import { DAY_END, formatRange, STEP } from './wall-times.ts'

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
  const own = draft.ranges
    .filter((range) => isOnDay(day, range))
    .flatMap((one) => toMinutes(one) ?? [])
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
  if (free === null) return draft
  const id = Math.max(0, ...[...draft.ranges, ...draft.asleep].map((range) => range.id)) + 1
  return { ...draft, ranges: [...draft.ranges, { ...day, ...free, id }] }
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
