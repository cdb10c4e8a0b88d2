import { DAY_MS, toIso } from '#contract/time.ts'
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
 * The calendar day an instant falls on in a zone, also where a day has 23 or 25 hours. Cached, so that
 * Temporal is called once per day and zone: a page of results needs a hundred days.
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

/** A slot's start as ISO text, cached: the same few thousand instants recur on page after page. */
export function slotText(start: Instant): string {
  let text = textCache.get(start)
  if (text === undefined) {
    if (textCache.size >= MAX_CACHED_TEXTS) textCache.clear()
    textCache.set(start, (text = toIso(start)))
  }
  return text
}

/** When a calendar day begins in a zone. `date` is ISO and real. */
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
