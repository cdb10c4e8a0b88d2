import { DAY_MS } from '#contract/base/time.ts'
import { type Property, paramOf } from './calendar-lines.ts'
import type { Places } from './places.ts'
import {
  type Instant,
  parseDuration,
  parseStamp,
  type Span,
  UnreadableError,
  type Zone,
} from './times.ts'
import { instantOf, instantsOf, wallOf } from './zones.ts'

/** A period given by its end or by its duration, in a zone unless in UTC. Throws `UnreadableError`. */
export function periodOf(text: string, zone: Zone): Span {
  const [from = '', to = ''] = text.split('/')
  const first = parseStamp(from)
  const start = first.kind === 'instant' ? first.at : instantOf(first.wall, zone)
  const end = endOf(to.trim(), start, zone)
  if (start >= end) throw new UnreadableError('This is no period.')
  return { start, end }
}

function endOf(text: string, start: Instant, zone: Zone): Instant {
  if (/^[+-]?P/i.test(text)) {
    const { days, ms } = parseDuration(text)
    return (days === 0 ? start : instantOf(wallOf(start, zone) + days * DAY_MS, zone)) + ms
  }
  const last = parseStamp(text)
  const ends = last.kind === 'instant' ? [last.at] : instantsOf(last.wall, zone)
  // Of two equal times the one that is later than the start.
  return ends.find((one) => one > start) ?? start
}

/** Busy periods of a line, with the number of its periods and the starts of those that could not be read. */
export type BusyPeriods = { spans: Span[]; count: number; unreadable: number }

/**
 * Busy periods of a `FREEBUSY` line (RFC 5545, 3.8.2.6): everything but `FBTYPE=FREE`, including unknown types.
 */
export function busyPeriodsOf(property: Property, places: Places): BusyPeriods {
  if (paramOf(property, 'FBTYPE')?.toUpperCase() === 'FREE') {
    return { spans: [], count: 0, unreadable: 0 }
  }
  const zone = places.zoneOf(paramOf(property, 'TZID'))
  const periods = property.value.split(',')
  const spans = periods.flatMap((text) => {
    try {
      return periodOf(text, zone)
    } catch (error) {
      if (error instanceof UnreadableError) return []
      throw error
    }
  })
  return { spans, count: periods.length, unreadable: periods.length - spans.length }
}
