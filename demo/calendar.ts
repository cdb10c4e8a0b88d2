import type { Instant } from '#db/columns.ts'

const MINUTE_MS = 60_000

/** Days this demo keeps ahead: today and the two weeks that follow, in the clinic's zone. */
export const DAYS_AHEAD = 15

/** Days since 1970 of a calendar date; a compact name for the date. */
export type DayNo = number

const EPOCH = Temporal.PlainDate.from('1970-01-01')

function dateOf(day: DayNo): Temporal.PlainDate {
  return EPOCH.add({ days: day })
}

/** The calendar date in a zone at an instant. */
export function dayIn(timeZone: string, at: Instant): DayNo {
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
  return EPOCH.until(date, { largestUnit: 'days' }).days
}

/** Turns minutes after midnight on a wall clock into an instant; null when that time is skipped. */
export type DayClock = (minutes: number) => Instant | null

function makeClock(timeZone: string, day: DayNo): DayClock {
  const date = dateOf(day)
  const midnight = date.toZonedDateTime(timeZone)
  const start = midnight.epochMilliseconds
  // Nearly all days have 24 plain hours: then arithmetic is exact and a hundred times faster.
  if (midnight.hoursInDay === 24 && midnight.hour === 0)
    return (minutes) => start + minutes * MINUTE_MS
  return (minutes) => {
    const wall = date.toPlainDateTime().add({ minutes })
    const there = wall.toZonedDateTime(timeZone)
    return there.toPlainDateTime().equals(wall) ? there.epochMilliseconds : null
  }
}

/** Clocks by zone and day, cached. */
export function clocks(): (timeZone: string, day: DayNo) => DayClock {
  const cache = new Map<string, DayClock>()
  return (timeZone, day) => {
    const key = `${timeZone} ${day}`
    const clock = cache.get(key) ?? makeClock(timeZone, day)
    cache.set(key, clock)
    return clock
  }
}
