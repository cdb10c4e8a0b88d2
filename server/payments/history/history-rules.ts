import { MAX_PAGE } from '#contract/base/paging.ts'
import { shownName } from '#contract/base/person-names.ts'
import { DAY_MS, dayNumber, toIso } from '#contract/base/time.ts'
import {
  HISTORY_PAGE_SIZE,
  type HistoryFilters,
  YEAR_MAX,
  YEAR_MIN,
} from '#contract/payments-history.ts'
import { type Instant, NEVER, type WallClock } from '#db/columns.ts'

/** Months since the year 0, both inclusive; null for all. */
export type MonthSpan = { first: number; last: number } | null

/** Number of bookings in a month, by payment method, or for both when `method` is null. */
export type MonthCount = { month: number; method: 'stripe' | 'paypal' | null; n: number }

/** The months selected by the filters; `none` for a year out of range. */
export function monthsOf({
  month,
  year,
}: Pick<HistoryFilters, 'month' | 'year'>): MonthSpan | 'none' {
  if (year === undefined) return null
  if (year < YEAR_MIN || year > YEAR_MAX) return 'none'
  const january = year * 12
  if (month === 'all') return { first: january, last: january + 11 }
  const only = january + Number(month) - 1
  return { first: only, last: only }
}

/** Wall-clock start of the first month, and of the month after the last. */
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

/** The month of a wall-clock time. */
export function monthAt(wallAt: WallClock): number {
  const [year = 0, month = 1] = toIso(wallAt).split('-').map(Number)
  return year * 12 + month - 1
}

/** Sum of all counts. */
export function countOf(months: readonly MonthCount[]): number {
  return months.reduce((sum, { n }) => sum + n, 0)
}

type Named = {
  user_first_name: string | null
  user_last_name: string | null
  user_erased_at: Instant | null
  title: string | null
  first_name: string | null
  last_name: string | null
}

/** Both names of a row, null where there is none; an erased patient has none. */
export function namesOf(row: Named) {
  const user = shownName({ first_name: row.user_first_name, last_name: row.user_last_name })
  const isErased = row.user_erased_at !== null
  return { user_name: isErased || user === '' ? null : user, doctor_name: shownName(row) || null }
}

/** The names for viewers who may not see any. */
export const NO_NAMES = { user_name: null, doctor_name: null }

/** Number of pages that can be requested. */
export function pagesOf(total: number): number {
  return Math.min(MAX_PAGE, Math.ceil(total / HISTORY_PAGE_SIZE))
}

/** Position of a row: the `nth` of its month, counted from the nearer end. */
export type RowPosition = Pick<MonthCount, 'month' | 'method'> & {
  nth: number
  isFromEnd: boolean
  /** Rows from it to the end of its payment method, which can be read in one query. */
  left: number
}

/**
 * Position of the row after `skip` others; null past the end. `months` are in the order of the history, so
 * that at most half a month has to be skipped instead of everything before.
 */
export function positionOf(months: readonly MonthCount[], skip: number): RowPosition | null {
  let before = 0
  for (const [at, { month, method, n }] of months.entries()) {
    if (skip < before + n) {
      const nth = skip - before
      const isFromEnd = nth > n / 2
      const left = countOf(months.slice(at).filter((one) => one.method === method)) - nth
      return { month, method, nth: isFromEnd ? n - 1 - nth : nth, isFromEnd, left }
    }
    before += n
  }
  return null
}
