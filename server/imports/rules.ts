import { DAY_MS } from '#contract/base/time.ts'
import {
  type DateOrder,
  IMPORT_AHEAD_DAYS,
  type ImportRow,
  type RowRefusal,
} from '#contract/imports.ts'
import type { Instant } from '#db/columns.ts'
import { zoneOf } from '#server/availability/rules.ts'

const MINUTE_MS = 60_000

/** Days since 1970 and minutes after midnight; null where a text does not contain them. */
type ParsedTime = { day: number | null; minute: number | null }

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+|$)/
const SLASH_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:,?\s+|$)/
const CLOCK = /^(\d{1,2})(?:[:.](\d{2})(?:[:.](\d{2})(?:\.\d+)?)?)?\s*(am|pm|a\.m\.|p\.m\.)?$/i

/** Days since 1970; null for a date that does not exist, such as 30 February. */
function dayOf(year: number, month: number, day: number): number | null {
  try {
    const date = Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
    return Temporal.PlainDate.from('1970-01-01').until(date, { largestUnit: 'days' }).days
  } catch {
    return null
  }
}

/** Minutes after midnight of `9:30`, `9.30` or `9 am`; null for anything else. */
function minuteOf(text: string): number | null {
  const [, hours = '', minutes, , half] = CLOCK.exec(text.trim()) ?? []
  // A bare number is not a time of day.
  if (hours === '' || (minutes === undefined && half === undefined)) return null
  let hour = Number(hours)
  const minute = Number(minutes ?? 0)
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0)
  }
  return hour < 24 && minute < 60 ? hour * 60 + minute : null
}

/** Parses a cell's date and time; null when it contains neither. */
function parseDateTime(text: string, order: DateOrder): ParsedTime | null {
  const iso = ISO.exec(text)
  const slashed = iso === null ? SLASH_DATE.exec(text) : null
  const found = iso ?? slashed
  if (found === null) {
    const minute = minuteOf(text)
    return minute === null ? null : { day: null, minute }
  }
  const [one = 0, two = 0, three = 0] = found.slice(1, 4).map(Number)
  const year = iso === null ? (three < 100 ? 2_000 + three : three) : one
  const [month, date] = iso === null ? (order === 'dmy' ? [two, one] : [one, two]) : [two, three]
  const day = dayOf(year, month, date)
  const rest = text.slice(found[0].length).trim()
  if (day === null) return null
  if (rest === '') return { day, minute: null }
  const minute = minuteOf(rest)
  return minute === null ? null : { day, minute }
}

/** Parses a timestamp with a UTC offset, as programs write it. */
function parseTimestamp(text: string): Instant | null {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(text)) return null
  try {
    return Temporal.Instant.from(text).epochMilliseconds
  } catch {
    return null
  }
}

type Zones = { dates: DateOrder; timeZone: string }

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

function timesOf(row: ImportRow, { dates, timeZone }: Zones): Times | RowRefusal {
  const [first, last, length] = [row.start, row.end, row.minutes].map((one) => one.trim())
  if (!first) return 'start_missing'
  const parsed = parseTimestamp(first) === null ? parseDateTime(first, dates) : null
  const { day, minute } = parsed ?? { day: null, minute: null }
  const isComplete = day !== null && minute !== null
  const start = isComplete
    ? instantOf({ day, minute }, timeZone, Number.NEGATIVE_INFINITY)
    : parseTimestamp(first)
  if (start === null) return isComplete ? 'clock_skips' : 'date_bad'
  if (!last) {
    if (!length) return 'end_missing'
    const minutes = Number(length)
    if (!/^\d{1,5}$/.test(length)) return 'date_bad'
    return { start, end: start + minutes * MINUTE_MS }
  }
  const exactEnd = parseTimestamp(last)
  if (exactEnd !== null) return { start, end: exactEnd }
  const until = parseDateTime(last, dates)
  const startDay = day ?? Math.floor(zoneOf(timeZone).wallAt(start) / DAY_MS)
  if (until === null || until.minute === null) return 'date_bad'
  // Not compared by the clock: when it goes back, an appointment may end at an earlier time than it starts.
  const end = instantOf({ day: until.day ?? startDay, minute: until.minute }, timeZone, start)
  return end === null ? 'clock_skips' : { start, end }
}

/** What rows are checked against. */
export type RowContext = {
  dates: DateOrder
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
