import { DAY_MS } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'

/** Local time in milliseconds, counted as if it were UTC. */
export type LocalTime = number

/** From `from` (inclusive) to `until` (exclusive) local time is `offset` milliseconds ahead of UTC. */
type OffsetPeriod = { from: Instant; until: Instant; offset: number }

/** A time zone computed from its transitions: no Temporal call per slot. */
export type Zone = {
  /** The instants with this local time: one, none or two. */
  instants(wall: LocalTime): Instant[]
  /** The last instant with this local time; where clocks skip it, as long after the start of the gap. */
  lastInstant(wall: LocalTime): Instant
  /** The end of the gap that skips this local time. */
  skippedAt(wall: LocalTime): Instant
  wallAt(instant: Instant): LocalTime
}

const YEAR_MS = 366 * DAY_MS

/** No zone's offset from UTC is larger. */
const MAX_OFFSET_MS = 18 * 3_600_000

function offsetPeriods(timeZone: string, from: Instant, until: Instant): OffsetPeriod[] {
  const stretches: OffsetPeriod[] = []
  let at = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone)
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    const end = next === null ? until : Math.min(until, next.epochMilliseconds)
    const offset = at.offsetNanoseconds / 1e6
    stretches.push({ from: at.epochMilliseconds, until: end, offset })
    if (next === null || end === until) return stretches
    at = next
  }
}

class CachedZone implements Zone {
  readonly #timeZone: string
  #from: Instant = 0
  #until: Instant = 0
  #stretches: OffsetPeriod[] = []

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  instants(wall: LocalTime): Instant[] {
    const found: Instant[] = []
    for (const { from, until, offset } of this.#around(wall)) {
      const instant = wall - offset
      if (from <= instant && instant < until) found.push(instant)
    }
    return found
  }

  lastInstant(wall: LocalTime): Instant {
    const stretches = this.#around(wall)
    const last = this.instants(wall).at(-1)
    if (last !== undefined) return last
    const after = stretches.findIndex(({ until, offset }) => wall - offset < until)
    return wall - (stretches[after - 1]?.offset ?? 0)
  }

  skippedAt(wall: LocalTime): Instant {
    const after = this.#around(wall).find(({ until, offset }) => wall - offset < until)
    return after?.from ?? wall
  }

  wallAt(instant: Instant): LocalTime {
    for (const { until, offset } of this.#around(instant))
      if (instant < until) return instant + offset
    return instant
  }

  /** The years asked about so far, and one more on either side. */
  #around(time: number): OffsetPeriod[] {
    if (time - MAX_OFFSET_MS < this.#from || time + MAX_OFFSET_MS >= this.#until) {
      const isNew = this.#until === 0
      const from = Math.min(isNew ? time : this.#from, time - YEAR_MS)
      const until = Math.max(isNew ? time : this.#until, time + YEAR_MS)
      // Throws for an unknown zone, before the range counts as read.
      this.#stretches = offsetPeriods(this.#timeZone, from, until)
      this.#from = from
      this.#until = until
    }
    return this.#stretches
  }
}

const zoneCache = new Map<string, Zone>()

/** A zone by its IANA name; its transitions are looked up once and cached. */
export function zoneOf(timeZone: string): Zone {
  let zone = zoneCache.get(timeZone)
  if (zone === undefined) zoneCache.set(timeZone, (zone = new CachedZone(timeZone)))
  return zone
}

/** The calendar day an instant falls on in a zone, as days since 1970. */
export function dayAt(timeZone: string, instant: Instant): number {
  return Math.floor(zoneOf(timeZone).wallAt(instant) / DAY_MS)
}

/** When a calendar day begins in a zone. */
export function startOfDay(timeZone: string, day: number): Instant {
  const zone = zoneOf(timeZone)
  const [first] = zone.instants(day * DAY_MS)
  return first ?? zone.lastInstant(day * DAY_MS)
}
