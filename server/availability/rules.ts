import { DAY_MS, toIso } from '#contract/base/time.ts'
import type { Instant } from '#db/columns.ts'

/** What a visit requires of a calendar: its length, the buffer after it, and the place. */
export type VisitNeeds = {
  minutes: number
  bufferMinutes: number
  /** `places.no` of the only place where it is offered; null is any. */
  placeNo: number | null
}

/**
 * How many consecutive slots of `step` minutes a visit takes, and how far after the first one the last one
 * begins, in milliseconds. The buffer lies between slots, and has to fit after the visit as well.
 */
export function slotRun(
  { minutes, bufferMinutes }: VisitNeeds,
  step: number,
): { count: number; reachMs: number } {
  const apart = step + bufferMinutes
  const count = Math.ceil((minutes + bufferMinutes) / apart)
  return { count, reachMs: (count - 1) * apart * 60_000 }
}

/** One calendar day in a zone: `date` is ISO, `start` is inclusive and `end` exclusive. */
export type ClinicDay = { date: string; start: Instant; end: Instant }

/** Cache of days, by zone and by the UTC day of an instant. */
const dayCache = new Map<string, Map<number, ClinicDay[]>>()

/** Cached days per zone; a calendar of appointments needs a few hundred. */
const MAX_CACHED_DAYS = 1_000

function dayAround(timeZone: string, instant: Instant): ClinicDay {
  const start = Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(timeZone)
    .startOfDay()
  return {
    date: start.toPlainDate().toString(),
    start: start.epochMilliseconds,
    end: start.add({ days: 1 }).startOfDay().epochMilliseconds,
  }
}

/**
 * The calendar day an instant falls on in a zone, also where a day has 23 or 25 hours. Cached, so that Temporal is
 * called once per day and zone.
 */
export function clinicDayOf(timeZone: string, instant: Instant): ClinicDay {
  let inZone = dayCache.get(timeZone)
  if (inZone === undefined) dayCache.set(timeZone, (inZone = new Map<number, ClinicDay[]>()))
  const utcDay = Math.floor(instant / DAY_MS)
  const days = inZone.get(utcDay) ?? []
  for (const day of days) if (day.start <= instant && instant < day.end) return day
  if (inZone.size >= MAX_CACHED_DAYS) inZone.clear()
  const day = dayAround(timeZone, instant)
  inZone.set(utcDay, [...days, day])
  return day
}

const textCache = new Map<Instant, string>()
const MAX_CACHED_TEXTS = 20_000

/** A slot's start as ISO text, cached: the same instants recur on page after page. */
export function slotText(start: Instant): string {
  let text = textCache.get(start)
  if (text === undefined) {
    if (textCache.size >= MAX_CACHED_TEXTS) textCache.clear()
    textCache.set(start, (text = toIso(start)))
  }
  return text
}

/**
 * When a calendar day begins in a zone. `date` is ISO and real. As `startOfDay`, for days that may be centuries
 * away: those would make its zone look up every transition until then.
 */
export function startOfDate(timeZone: string, date: string): Instant {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone }).epochMilliseconds
}

/** Whether a date lies within the range a calendar of appointments supports. */
export function isCalendarDate(date: string): boolean {
  return date >= '1970-01-01' && date <= '2999-12-31'
}

/** A calendar day some days later, as an ISO date. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/** The end of the calendar day that is `days` days after today in a zone. */
export function endOfDayAfter(timeZone: string, now: Instant, days: number): Instant {
  return startOfDate(timeZone, addDays(clinicDayOf(timeZone, now).date, days + 1))
}

export type DayGroup = { day: ClinicDay; instants: Instant[] }

/** Groups instants by their calendar day in a zone, earliest first. `instants` are sorted. */
export function byClinicDay(timeZone: string, instants: readonly Instant[]): DayGroup[] {
  const groups: DayGroup[] = []
  for (const instant of instants) {
    const last = groups.at(-1)
    if (last !== undefined && instant < last.day.end) last.instants.push(instant)
    else groups.push({ day: clinicDayOf(timeZone, instant), instants: [instant] })
  }
  return groups
}

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
