import { DAY_MS } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'

/** One calendar day of a zone: `date` is ISO, it lasts from `start` up to, not including, `end`. */
export type ClinicDay = { date: string; start: Instant; end: Instant }

const known = new Map<string, ClinicDay[]>()

/** Zones times days in use are a few thousand; beyond that, start over. */
const MAX_KNOWN = 20_000

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
 * The calendar day an instant falls on in a zone, also where a day has 23 or 25 hours. Temporal is
 * asked once for each day and zone, because a page of results asks a hundred times.
 */
export function clinicDayOf(timeZone: string, instant: Instant): ClinicDay {
  const key = `${timeZone}/${Math.floor(instant / DAY_MS)}`
  const days = known.get(key)
  for (const day of days ?? []) if (day.start <= instant && instant < day.end) return day
  const day = dayAround(timeZone, instant)
  if (days === undefined) {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(key, [day])
  } else {
    days.push(day)
  }
  return day
}

/** When a calendar day begins in a zone. `date` is ISO and real. */
export function startOfDate(timeZone: string, date: string): Instant {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone }).epochMilliseconds
}

/** Whether a date is one a calendar of appointments may be opened at. */
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

/** Instants by the calendar day they fall on in a zone, earliest first. `instants` are ascending. */
export function byClinicDay(timeZone: string, instants: readonly Instant[]): DayGroup[] {
  const groups: DayGroup[] = []
  for (const instant of instants) {
    const last = groups.at(-1)
    if (last !== undefined && instant < last.day.end) last.instants.push(instant)
    else groups.push({ day: clinicDayOf(timeZone, instant), instants: [instant] })
  }
  return groups
}
