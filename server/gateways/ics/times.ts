import { DAY_MS } from '#contract/base/time.ts'
import type { Property } from './calendar-lines.ts'

/** Epoch milliseconds. */
export type Instant = number
/** What clocks show, in milliseconds as if they showed UTC. */
export type Wall = number

/** A time zone: how far its clocks are ahead of UTC at an instant, in milliseconds. */
export type Zone = { offsetAt(instant: Instant): number }

export type Span = { start: Instant; end: Instant }

/** What an entry says that cannot be read. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** A date, or a time: of a fixed instant, or of clocks in a zone that stands beside it. */
export type Value =
  | { kind: 'date'; wall: Wall }
  | { kind: 'instant'; at: Instant }
  | { kind: 'local'; wall: Wall }

/**
 * `20260310`, `20260310T090000` or `20260310T090000Z` (RFC 5545, 3.3.4 and 3.3.5), and what some programs write in
 * their place: with dashes and colons, without seconds, with an offset.
 */
const STAMP =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i

const MINUTE_MS = 60_000

/** `+0100` or `-001521` in milliseconds; null if it is no offset (RFC 5545, 3.3.14). */
export function parseOffset(text: string): number | null {
  const [, sign, hours, minutes, seconds = '0'] =
    /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/.exec(text.trim()) ?? []
  if (sign === undefined) return null
  const ms = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -ms : ms
}

/** Parses a date or time. Throws `UnreadableError`, also for 30 February. */
export function parseStamp(text: string): Value {
  const [, year = '', month = '', day = '', hour, minute = '0', second = '0', zone] =
    STAMP.exec(text.trim()) ?? []
  let wall: Wall
  try {
    const parts = { year: Number(year), month: Number(month), day: Number(day) }
    const date = Temporal.PlainDate.from(parts, { overflow: 'reject' })
    wall = date.toZonedDateTime('UTC').epochMilliseconds
  } catch {
    throw new UnreadableError('This is no date.')
  }
  if (hour === undefined) return { kind: 'date', wall }
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) {
    throw new UnreadableError('This is no time.')
  }
  // A leap second is none to a clock of ours.
  wall += (Number(hour) * 60 + Number(minute)) * MINUTE_MS + Math.min(59, Number(second)) * 1_000
  if (zone === undefined) return { kind: 'local', wall }
  const offset = /^z$/i.test(zone) ? 0 : (parseOffset(zone) ?? 0)
  return { kind: 'instant', at: wall - offset }
}

/** A duration (RFC 5545, 3.3.6): its days count by the calendar, the rest is exact. */
export type Duration = { days: number; ms: number }

/** The longest duration of an entry that is one: ten years. */
const DAYS_MAX = 3_660

/** Parses a duration. Throws `UnreadableError`, also for a negative one. */
export function parseDuration(text: string): Duration {
  try {
    const read = Temporal.Duration.from(text.trim().toUpperCase())
    const { sign, years, months, weeks, days, hours, minutes, seconds } = read
    if (sign < 0 || years !== 0 || months !== 0) throw new RangeError('no duration of a calendar')
    const exactMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000
    const allDays = weeks * 7 + days
    if (allDays + exactMs / DAY_MS > DAYS_MAX) throw new RangeError('no duration of an entry')
    return { days: allDays, ms: exactMs }
  } catch {
    throw new UnreadableError('This is no duration.')
  }
}

/** The values of a list, such as that of `EXDATE`. */
export function valuesOf({ value }: Property): string[] {
  return value.split(',').filter((one) => one.trim() !== '')
}
