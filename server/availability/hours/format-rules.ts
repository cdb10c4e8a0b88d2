import { type Region, regionFacts } from '#contract/region.ts'
import { clockText, dateOfDay } from '#contract/time.ts'

const WEEKDAYS = [
  'Mondays',
  'Tuesdays',
  'Wednesdays',
  'Thursdays',
  'Fridays',
  'Saturdays',
  'Sundays',
] as const

/** "09:00", or "9:00 AM" in the USA. */
export function formatTime(region: Region, minutes: number): string {
  return clockText(minutes, regionFacts[region].hour12)
}

/** "09:00 to 12:30". */
export function formatRange(region: Region, { from, to }: { from: number; to: number }): string {
  return `${formatTime(region, from)} to ${formatTime(region, to)}`
}

/** "5 March 2026", or "March 5, 2026" in the USA. */
export function formatDay(region: Region, day: number): string {
  return Temporal.PlainDate.from(dateOfDay(day)).toLocaleString(regionFacts[region].locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
}

/** "on Mondays", with the week where there are several. */
export function formatWeekday(hours: { weekday: number; week: number }, weeks: number): string {
  const name = WEEKDAYS[hours.weekday - 1] ?? ''
  return weeks === 1 ? `on ${name}` : `on ${name} of week ${hours.week}`
}

const plural = (n: number, word: string) => (n === 1 ? `1 ${word}` : `${n} ${word}s`)

/** "2 hours", "1 day", "90 minutes". */
export function formatMinutes(minutes: number): string {
  if (minutes > 0 && minutes % 1_440 === 0) return plural(minutes / 1_440, 'day')
  if (minutes > 0 && minutes % 60 === 0) return plural(minutes / 60, 'hour')
  return plural(minutes, 'minute')
}

/** "60 days". */
export function formatDays(days: number): string {
  return plural(days, 'day')
}
