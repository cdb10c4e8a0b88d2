import { mainZoneOf } from '#app/lib/dates/slot-choice.ts'
import { plural } from '#app/lib/format/words.ts'
import { visitHours, zonedHours } from '#app/lib/visit-text.ts'
import type { Availability, HolidayCalendar } from '#contract/availability.ts'
import { dateFormat, timeZoneLabel } from '#contract/base/intl.ts'
import { type Region, regionFacts } from '#contract/base/region.ts'
import { clockText } from '#contract/base/time.ts'
import { regionOfZone } from '#contract/base/time-zones.ts'

type Places = Pick<Availability, 'places'>

export function regionOf(mine: Places): Region {
  return regionOfZone(mainZoneOf(mine))
}

export function hour12Of(mine: Places): boolean {
  return regionFacts[regionOf(mine)].hour12
}

export function firstWeekdayOf(mine: Places): 1 | 7 {
  return regionFacts[regionOf(mine)].firstWeekday
}

/** "Eastern Time": the zone of blocks, that of the main place, if other places are in another; null if all are in it. */
export function blockZone({ places }: Places): string | null {
  const [main, other] = new Set(places.map(({ timeZone }) => timeZone))
  return main === undefined || other === undefined ? null : timeZoneLabel(main)
}

/** "9:00 am to 9:30 am", with the zone if places are in several. */
export function visitTimes(visit: Parameters<typeof visitHours>[0], mine: Places): string {
  return blockZone(mine) === null ? visitHours(visit) : zonedHours(visit)
}

/** "2 hours", "1 day", "90 minutes". */
export function formatMinutes(minutes: number): string {
  if (minutes > 0 && minutes % 1_440 === 0) return plural(minutes / 1_440, 'day')
  if (minutes > 0 && minutes % 60 === 0) return plural(minutes / 60, 'hour')
  return plural(minutes, 'minute')
}

/** "2 hours’ notice", "1 day’s notice". */
export function formatNotice(minutes: number): string {
  const time = formatMinutes(minutes)
  return `${time}${time.endsWith('s') ? '’' : '’s'} notice`
}

/** "Monday, Tuesday and Friday". */
export function formatList(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

/** "Mon 2 March 2026" ("Mon, March 2, 2026" in the USA). */
export function formatWeekdayDate(date: string, region: Region): string {
  const text = dateFormat(regionFacts[region].locale, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(new Date(`${date}T12:00:00Z`))
  return region === 'uk' ? text.replace(',', '') : text
}

export const holidayCalendars: Record<HolidayCalendar, string> = {
  england_wales: 'England and Wales',
  scotland: 'Scotland',
  northern_ireland: 'Northern Ireland',
  usa: 'the USA',
}

/** Times are picked and pushed in steps of a quarter of an hour. */
export const STEP = 15
export const DAY_END = 1_440
const NOON = 720

/** Minutes after midnight, or the typed text if it is not a valid time. */
export type Time = number | string

type ParseOptions = {
  /** Reads an end of hours: midnight then means the end of the day. */
  isEnd?: boolean
  /** The start these hours have: "5" after nine o'clock is five in the afternoon. */
  after?: Time
}

const NAMED_TIMES: Readonly<Record<string, number>> = { midnight: 0, noon: NOON, midday: NOON }

function to24Hour(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

/** Parses "9", "930", "9:30", "9.30", "9am", "21:30", "noon"; null if it is not a time of day. */
export function parseTime(
  text: string,
  { isEnd = false, after }: ParseOptions = {},
): number | null {
  const typed = text.trim().toLowerCase().replaceAll(/\s+/g, '')
  const found = /^(\d{1,2})(?:[:.h]?(\d{2}))?(?:([ap])\.?m?\.?)?$/.exec(typed)
  const word = NAMED_TIMES[typed]
  if (found === null && word === undefined) return null
  const [, hourText = '', minuteText = '0', half] = found ?? []
  const typedHour = found === null ? (word ?? 0) / 60 : Number(hourText)
  const hour = half === undefined ? typedHour : to24Hour(typedHour, half)
  const minute = Number(minuteText)
  if (hour === null || minute > 59) return null
  const time = hour * 60 + minute
  if (time > DAY_END || (time === DAY_END && !isEnd)) return null
  if (time === 0 && isEnd) return DAY_END
  // A single digit without am or pm is ambiguous: the half of the day after the start is meant.
  const isVague = half === undefined && /^[1-9]$/.test(hourText)
  if (isVague && typeof after === 'number' && time <= after && time + NOON > after) {
    return time + NOON
  }
  return time
}

/** Text of a time in its field; invalid input is shown as typed. */
export function formatWallClock(time: Time, hour12: boolean): string {
  return typeof time === 'number' ? clockText(time, hour12) : time
}

/** "09:00 to 12:30", or "9:00 am to 12:30 pm". */
export function formatRange({ from, to }: { from: Time; to: Time }, hour12: boolean): string {
  return `${formatWallClock(from, hour12)} to ${formatWallClock(to, hour12)}`
}

/** The times to pick from, later than a start where there is one. */
export function timeOptions({ isEnd = false, after }: ParseOptions): number[] {
  const first = typeof after === 'number' ? Math.floor(after / STEP) * STEP + STEP : 0
  const last = isEnd ? DAY_END : DAY_END - STEP
  const from = isEnd ? Math.max(STEP, first) : first
  return Array.from({ length: Math.max(0, (last - from) / STEP + 1) }, (_, at) => from + at * STEP)
}
