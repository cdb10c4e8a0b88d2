import type { Property } from './calendar-lines.ts'

/** Epoch milliseconds. */
type Span = { start: number; end: number }

/** Busy times of a `FREEBUSY` line, with the number of its periods and of those that could not be parsed. */
export type BusyPeriods = { spans: Span[]; count: number; unreadable: number }

const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(Z?)$/

/** `20260310T090000Z` as `2026-03-10T09:00:00Z`. */
function toIsoText(text: string): string {
  return text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6')
}

/** Parses a time: UTC as RFC 5545 requires, otherwise in `zone`. Throws `RangeError` if invalid. */
function timeOf(text: string, zone: string): Temporal.ZonedDateTime {
  const [, wall, utc] = TIME.exec(toIsoText(text)) ?? []
  if (wall === undefined) throw new RangeError('Not a time')
  return Temporal.PlainDateTime.from(wall).toZonedDateTime(utc === 'Z' ? 'UTC' : zone)
}

/** Parses a period given by end or by duration. Throws `RangeError` if invalid. */
function periodOf(text: string, zone: string): Span {
  const [from = '', to = ''] = text.split('/')
  const start = timeOf(from, zone)
  const end = /^[+-]?P/.test(to) ? start.add(to) : timeOf(to, zone)
  const span = { start: start.epochMilliseconds, end: end.epochMilliseconds }
  if (span.start >= span.end) throw new RangeError('Not a period')
  return span
}

/**
 * Busy periods of a `FREEBUSY` line (RFC 5545, 3.8.2.6): everything but `FBTYPE=FREE`, including unknown
 * types. `zone` applies to times that are not in UTC.
 */
export function busyPeriodsOf({ params, value }: Property, zone: string): BusyPeriods {
  const type = /;FBTYPE="?([^;"]*)/i.exec(params)?.[1]?.trim().toUpperCase()
  if (type === 'FREE') return { spans: [], count: 0, unreadable: 0 }
  const periods = value.toUpperCase().split(',')
  const spans = periods.flatMap((text) => {
    try {
      return periodOf(text.trim(), zone)
    } catch (error) {
      if (error instanceof RangeError) return []
      throw error
    }
  })
  return { spans, count: periods.length, unreadable: periods.length - spans.length }
}
