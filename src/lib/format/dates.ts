import { serverNow } from '#app/lib/dates/server-clock.ts'
import { dateFormat, lowerDayPeriod, timeZoneLabel } from '#contract/base/intl.ts'
import { type Region, regionFacts } from '#contract/base/region.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'

type DayStyle = 'short' | 'long'

function formatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return dateFormat(factsOfZone(timeZone).locale, { timeZone, ...options })
}

const HOUR_MS = 3_600_000

/** "GMT", "CST": short name of the zone at an instant. */
function shortZone(at: string, timeZone: string): string {
  const short = formatter(timeZone, { timeZoneName: 'short' })
    .formatToParts(new Date(at))
    .find((part) => part.type === 'timeZoneName')
  return short?.value ?? timeZone
}

/** Short name of the zone where clocks show this instant's time twice that day; null where they do not. */
export function zoneOfRepeated(at: string, timeZone: string): string | null {
  const clock = formatter(timeZone, { hour: 'numeric', minute: '2-digit' })
  const shown = (instant: number) => clock.format(instant)
  const instant = Date.parse(at)
  const text = shown(instant)
  const isRepeated = shown(instant - HOUR_MS) === text || shown(instant + HOUR_MS) === text
  return isRepeated ? shortZone(at, timeZone) : null
}

/**
 * "14:30" in the UK, "2:30 pm" in the USA, in the clinic's own zone; "01:30 GMT" in the hour that clocks show
 * twice. `at` is ISO text with a Z.
 */
export function formatTime(at: string, timeZone: string): string {
  const { hour12 } = factsOfZone(timeZone)
  const text = formatter(timeZone, {
    hour: hour12 ? 'numeric' : '2-digit',
    minute: '2-digit',
    hour12,
  }).format(new Date(at))
  const time = lowerDayPeriod(text)
  const zone = zoneOfRepeated(at, timeZone)
  return zone === null ? time : `${time} ${zone}`
}

/** "2:30 pm CST": a time beside one of another zone. */
export function formatTimeWithZone(at: string, timeZone: string): string {
  return zoneOfRepeated(at, timeZone) === null
    ? `${formatTime(at, timeZone)} ${shortZone(at, timeZone)}`
    : formatTime(at, timeZone)
}

/** The calendar day of an instant in the clinic's zone, as `2026-03-02`. */
export function dayOf(at: string | number, timeZone: string): string {
  return dateFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(at))
}

/** "Thu 19 Feb" or "Thursday 19 February" (American order in the USA) for a calendar day. */
export function formatDay(date: string, timeZone: string, style: DayStyle = 'short'): string {
  const format = dateFormat(factsOfZone(timeZone).locale, {
    timeZone: 'UTC',
    weekday: style,
    day: 'numeric',
    month: style,
  })
  return format.format(new Date(`${date}T12:00:00Z`)).replace(/^(\w+),/, '$1')
}

/** "Monday 9 March 2026" ("Monday, March 9, 2026" in the USA), the day of an instant at the clinic. */
export function formatLongDate(at: string, timeZone: string): string {
  const format = formatter(timeZone, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  const text = format.format(new Date(at))
  return factsOfZone(timeZone).locale === 'en-GB' ? text.replace(',', '') : text
}

/** "Today", "Tomorrow", else the day in short: what a person calls it, seen from `now` by the server's clock. */
export function formatRelativeDay(date: string, timeZone: string, now = serverNow()): string {
  const today = dayOf(now, timeZone)
  if (date === today) return 'Today'
  const next = new Date(Date.parse(`${today}T12:00:00Z`) + 86_400_000)
  if (date === next.toISOString().slice(0, 10)) return 'Tomorrow'
  return formatDay(date, timeZone)
}

/** "London time, BST", "Central Time, CST": the zone of in-person visits is always named. */
export function zoneLabel(at: string, timeZone: string): string {
  return `${timeZoneLabel(timeZone)}, ${shortZone(at, timeZone)}`
}

/** A calendar day as people of the region write it: `DD/MM/YYYY` or `MM/DD/YYYY`. */
export function formatDate(date: string, region: 'uk' | 'usa'): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return region === 'uk' ? `${day}/${month}/${year}` : `${month}/${day}/${year}`
}

/** "9:42" for the remaining milliseconds, rounded up to whole seconds; never below "0:00". */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** "12 Feb 2026" or "Feb 12, 2026" for a calendar day, as people of the region write it. */
export function formatFullDate(date: string, region: Region): string {
  return dateFormat(regionFacts[region].locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(`${date}T12:00:00Z`))
}

/** "12 Feb 2026" for an instant, in the user's own time zone. */
export function formatLocalDate(at: string | number): string {
  return dateFormat('en-GB', { dateStyle: 'medium' }).format(new Date(at))
}

/** "12 Feb 2026, 09:00" for an instant, in the user's own time zone. */
export function formatLocalMoment(at: string): string {
  return dateFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}
