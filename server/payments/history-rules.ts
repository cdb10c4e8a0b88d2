import { MAX_PAGE } from '#contract/paging.ts'
import {
  HISTORY_PAGE_SIZE,
  type HistoryFilters,
  YEAR_MAX,
  YEAR_MIN,
} from '#contract/payments-history.ts'
import { DAY_MS, dayNumber, toIso } from '#contract/time.ts'
import { NEVER, type WallClock } from '#db/columns.ts'

/** Months since the year 0, both included; null is all of them. */
export type MonthSpan = { first: number; last: number } | null

/** How many bookings one month has. */
export type MonthCount = { month: number; n: number }

/** The months the filters leave; `none` for years that no booking can have. */
export function monthsOf({ month, year }: HistoryFilters): MonthSpan | 'none' {
  if (year === undefined) return null
  if (year < YEAR_MIN || year > YEAR_MAX) return 'none'
  const january = year * 12
  if (month === 'all') return { first: january, last: january + 11 }
  const only = january + Number(month) - 1
  return { first: only, last: only }
}

/** When a month begins on the wall, and when the next one does. */
export function wallSpan({ first, last }: { first: number; last: number }): {
  from: WallClock
  to: WallClock
} {
  const begin = (month: number): WallClock => {
    const year = Math.floor(month / 12)
    if (year > YEAR_MAX) return NEVER
    return dayNumber(`${year}-${String((month % 12) + 1).padStart(2, '0')}-01`) * DAY_MS
  }
  return { from: begin(first), to: begin(last + 1) }
}

/** The month of a wall clock. */
export function monthAt(wallAt: WallClock): number {
  const [year = 0, month = 1] = toIso(wallAt).split('-').map(Number)
  return year * 12 + month - 1
}

/** Pages that can be asked for. */
export function pagesOf(total: number): number {
  return Math.min(MAX_PAGE, Math.ceil(total / HISTORY_PAGE_SIZE))
}

/** Where a row lies: the `nth` of its month, counted from the nearer end. */
export type Spot = { month: number; nth: number; isFromEnd: boolean }

/**
 * Where the row after `skip` others lies; null past the end. `months` are in the order of the history,
 * so that at most half a month is stepped over instead of everything before.
 */
export function spotOf(months: readonly MonthCount[], skip: number): Spot | null {
  let before = 0
  for (const { month, n } of months) {
    if (skip < before + n) {
      const nth = skip - before
      const isFromEnd = nth > n / 2
      return { month, nth: isFromEnd ? n - 1 - nth : nth, isFromEnd }
    }
    before += n
  }
  return null
}
