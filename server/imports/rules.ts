import { DAY_MS } from '#contract/base/time.ts'
import {
  type DateOrder,
  IMPORT_AHEAD_DAYS,
  type ImportRow,
  type RowRefusal,
} from '#contract/imports.ts'
import { isYes, readMinutes, readMoment, splitRange } from '#contract/imports-times.ts'
import type { Instant } from '#db/columns.ts'
import { zoneOf } from '#server/availability/rules.ts'

const MINUTE_MS = 60_000

/** The first instant with this local time after `notBefore`, else the last; null where clocks skip it. */
function instantOf(
  { day, minute }: { day: number; minute: number },
  timeZone: string,
  notBefore: Instant,
): Instant | null {
  const all = zoneOf(timeZone).instants(day * DAY_MS + minute * MINUTE_MS)
  return all.find((one) => one > notBefore) ?? all.at(-1) ?? null
}

type Times = { start: Instant; end: Instant }

type Zones = { dates: DateOrder | undefined; timeZone: string }

type Read = Exclude<ReturnType<typeof readMoment>, null | string>

/** The cells of a row, with a start such as "09:00 - 09:30" split where nothing else says when it ends. */
function cellsOf(row: ImportRow) {
  const cells = { start: row.start.trim(), end: row.end.trim(), minutes: row.minutes.trim() }
  const range = cells.end === '' && cells.minutes === '' ? splitRange(cells.start) : null
  return range === null ? cells : { ...cells, ...range }
}

/** The days of an all-day row, `until` exclusive; null where its cells name times instead. */
function daysOf(start: Read, end: Read | null): { from: number; until: number } | null {
  if (start.day === null || (start.minute ?? 0) !== 0) return null
  if (end !== null && (end.minute ?? 0) % 1_440 !== 0) return null
  const last = end?.day ?? start.day
  // Calendars write the last day, or the midnight after it.
  const isMidnightAfter = end?.minute === 0 && last > start.day
  return { from: start.day, until: isMidnightAfter ? last : last + 1 }
}

/** The instant a text names, by its offset or in the zone of its place; null where clocks skip it. */
function instantFrom(
  { minute, offset }: Read,
  { day, timeZone }: { day: number; timeZone: string },
  notBefore: Instant,
): Instant | null {
  if (offset !== null) return day * DAY_MS + ((minute ?? 0) - offset) * MINUTE_MS
  return instantOf({ day, minute: minute ?? 0 }, timeZone, notBefore)
}

/** Whole days, from midnight to midnight. */
function allDayTimes(days: { from: number; until: number }, timeZone: string): Times | RowRefusal {
  const midnight = (day: number) =>
    instantOf({ day, minute: 0 }, timeZone, Number.NEGATIVE_INFINITY)
  const [start, end] = [midnight(days.from), midnight(days.until)]
  return start === null || end === null ? 'clock_skips' : { start, end }
}

function timesOf(row: ImportRow, { dates, timeZone }: Zones): Times | RowRefusal {
  const cells = cellsOf(row)
  if (cells.start === '') return 'start_missing'
  const first = readMoment(cells.start, dates)
  const last = cells.end === '' ? null : readMoment(cells.end, dates)
  if (first === 'order_unknown' || last === 'order_unknown') return 'order_unknown'
  if (first === null || first.day === null || (cells.end !== '' && last === null)) return 'date_bad'
  const days = isYes(row.allDay) ? daysOf(first, last) : null
  if (days !== null) return allDayTimes(days, timeZone)
  if (first.minute === null) return 'date_bad'
  const start = instantFrom(first, { day: first.day, timeZone }, Number.NEGATIVE_INFINITY)
  if (start === null) return 'clock_skips'
  if (last === null) {
    if (cells.minutes === '') return 'end_missing'
    const minutes = readMinutes(cells.minutes)
    return minutes === null ? 'date_bad' : { start, end: start + minutes * MINUTE_MS }
  }
  if (last.minute === null) return 'date_bad'
  const startDay =
    first.offset === null ? first.day : Math.floor(zoneOf(timeZone).wallAt(start) / DAY_MS)
  // Not compared by the clock: when it goes back, an appointment may end at an earlier time than it starts.
  const end = instantFrom(last, { day: last.day ?? startDay, timeZone }, start)
  return end === null ? 'clock_skips' : { start, end }
}

/** What rows are checked against. */
export type RowContext = {
  dates: DateOrder | undefined
  now: Instant
  /** The main place first. */
  places: readonly { name: string; postcode: string; time_zone: string }[]
  /** Booked visits. */
  visits: readonly Times[]
}

function zoneFor(place: string, { places }: RowContext): string | null {
  const placeName = place.trim().toLowerCase()
  if (placeName === '') return places[0]?.time_zone ?? 'UTC'
  const found = places.find(({ name, postcode }) =>
    [name, postcode].some((one) => one.toLowerCase() === placeName),
  )
  return found?.time_zone ?? null
}

/** The times of a row's appointment and the zone of its place, or why it is not imported. */
export function validateRow(
  row: ImportRow,
  context: RowContext,
): (Times & { timeZone: string }) | RowRefusal {
  const { now, visits, dates } = context
  const timeZone = zoneFor(row.place, context)
  if (timeZone === null) return 'place_unknown'
  const times = timesOf(row, { dates, timeZone })
  if (typeof times === 'string') return times
  const { start, end } = times
  if (end <= start) return 'ends_before'
  const zone = zoneOf(timeZone)
  // By the clock: a day may have 25 hours.
  if (zone.wallAt(end) - zone.wallAt(start) > DAY_MS) return 'too_long'
  if (end <= now) return 'past'
  if (start > now + IMPORT_AHEAD_DAYS * DAY_MS) return 'too_far'
  const isTaken = visits.some((one) => one.start < end && start < one.end)
  return isTaken ? 'overlaps_visit' : { ...times, timeZone }
}
