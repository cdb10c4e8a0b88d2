import { DAY_MS } from '#contract/base/time.ts'
import { first, type RawEvent } from './calendar-file.ts'
import { type Property, paramOf } from './calendar-lines.ts'
import type { Places } from './places.ts'
import {
  type Duration,
  type Instant,
  parseDuration,
  parseStamp,
  type Span,
  UnreadableError,
  type Value,
  type Wall,
  type Zone,
} from './times.ts'
import { instantOf, instantsOf, UTC, wallOf } from './zones.ts'

/** Longest time on the way that counts; nobody travels longer to an appointment. */
const TRAVEL_MAX_MS = DAY_MS

const valueOf = (event: RawEvent, name: string): string =>
  first(event, name)?.value.toUpperCase() ?? ''

/** Whether an entry, or one occurrence of a series, marks the time as busy. */
export function isBusy(event: RawEvent): boolean {
  return (
    valueOf(event, 'STATUS') !== 'CANCELLED' &&
    valueOf(event, 'TRANSP') !== 'TRANSPARENT' &&
    valueOf(event, 'X-MICROSOFT-CDO-BUSYSTATUS') !== 'FREE'
  )
}

/** A `VEVENT` whose times are understood. */
export class Entry {
  readonly raw: RawEvent
  /** Of its days and of its clocks. */
  readonly zone: Zone
  readonly isWholeDays: boolean
  /** What clocks show when it first begins. */
  readonly wall: Wall
  readonly start: Instant
  readonly #length: Duration
  readonly #travelMs: number

  /** Throws `UnreadableError`. */
  constructor(raw: RawEvent, places: Places) {
    const property = first(raw, 'DTSTART')
    if (property === undefined) throw new UnreadableError('This entry has no start.')
    const value = parseStamp(property.value)
    this.raw = raw
    this.isWholeDays = value.kind === 'date'
    this.zone = value.kind === 'instant' ? UTC : places.zoneOf(paramOf(property, 'TZID'))
    this.wall = value.kind === 'instant' ? value.at : value.wall
    this.start = instantOf(this.wall, this.zone)
    this.#length = this.#readLength(places)
    this.#travelMs = this.#readTravel()
  }

  get isBusy(): boolean {
    return isBusy(this.raw)
  }

  get isAllDay(): boolean {
    return this.isWholeDays || valueOf(this.raw, 'X-MICROSOFT-CDO-ALLDAYEVENT') === 'TRUE'
  }

  /** No occurrence takes longer than this, in milliseconds. */
  get longestMs(): number {
    return (this.#length.days + 1) * DAY_MS + this.#length.ms + this.#travelMs
  }

  #readLength(places: Places): Duration {
    const end = first(this.raw, 'DTEND')
    // `DTEND` and `DURATION` must not occur together (RFC 5545); if they do, `DTEND` wins.
    if (end !== undefined) return this.#lengthUntil(places.read(end, this.zone))
    const duration = first(this.raw, 'DURATION')
    if (duration !== undefined) {
      const { days, ms } = parseDuration(duration.value)
      if (!this.isWholeDays) return { days, ms }
      return { days: Math.max(1, days + Math.ceil(ms / DAY_MS)), ms: 0 }
    }
    return { days: this.isWholeDays ? 1 : 0, ms: 0 }
  }

  #lengthUntil({ value, zone }: { value: Value; zone: Zone }): Duration {
    if (this.isWholeDays && value.kind === 'date') {
      const days = Math.round((value.wall - this.wall) / DAY_MS)
      // Some programs repeat the first day as the last.
      return { days: Math.max(1, days), ms: 0 }
    }
    const ends = value.kind === 'instant' ? [value.at] : instantsOf(value.wall, zone)
    // An entry that ends before it starts takes no time, as a reminder.
    const end = ends.find((one) => one > this.start) ?? this.start
    return { days: 0, ms: end - this.start }
  }

  /** `X-APPLE-TRAVEL-DURATION`: the way there, during which Apple's programs show the person as busy. */
  #readTravel(): number {
    const property = first(this.raw, 'X-APPLE-TRAVEL-DURATION')
    if (property === undefined || this.isWholeDays) return 0
    try {
      const { days, ms } = parseDuration(property.value)
      const travelMs = days * DAY_MS + ms
      return travelMs <= TRAVEL_MAX_MS ? travelMs : 0
    } catch {
      return 0
    }
  }

  /** An occurrence that begins at an instant, and takes as long as the first one or as `length`. */
  spanAt(start: Instant, length: Duration = this.#length): Span {
    const { days, ms } = length
    const end = days === 0 ? start : instantOf(wallOf(start, this.zone) + days * DAY_MS, this.zone)
    return { start: start - this.#travelMs, end: end + ms }
  }

  /** The first occurrence, or the only one. */
  get span(): Span {
    return this.spanAt(this.start)
  }

  /** The day of an instant, as this entry's zone counts days. */
  dayOf(instant: Instant): Wall {
    return Math.floor(wallOf(instant, this.zone) / DAY_MS) * DAY_MS
  }

  /** When an occurrence of a day begins: at this entry's time of day. */
  startOn(day: Wall): Instant {
    return instantOf(day + (this.wall - Math.floor(this.wall / DAY_MS) * DAY_MS), this.zone)
  }

  /** What a property of a series names: its occurrence at an instant, or those of a day. */
  occurrenceIn(property: Property, places: Places): Named {
    const { value, zone } = places.read(property, this.zone)
    if (value.kind === 'date') return { day: value.wall }
    const at = value.kind === 'instant' ? value.at : instantOf(value.wall, zone)
    if (!this.isWholeDays) return { at }
    // Outlook names days of a series of days by their midnight.
    const wall = value.kind === 'instant' ? wallOf(value.at, this.zone) : value.wall
    return { day: Math.floor(wall / DAY_MS) * DAY_MS }
  }
}

/** An occurrence of a series, named by its start or by its day. */
export type Named = { at: Instant } | { day: Wall }
