import type { Availability, HolidayCalendar } from '#contract/availability.ts'
import { dateFormat } from '#contract/intl.ts'
import { type Region, regionFacts } from '#contract/region.ts'

type Places = Pick<Availability, 'places'>

/** Places in London time are in the UK, all others in the USA. */
export function regionOf({ places }: Places): Region {
  return places[0]?.timeZone === 'Europe/London' || places.length === 0 ? 'uk' : 'usa'
}

export function hour12Of(mine: Places): boolean {
  return regionFacts[regionOf(mine)].hour12
}

/** First day of the week: 1 (Monday) in the UK, 7 (Sunday) in the USA. */
export function firstWeekdayOf(mine: Places): 1 | 7 {
  return regionOf(mine) === 'uk' ? 1 : 7
}

/** The weekdays in the order of the region's calendars. */
export function weekdaysFrom(first: 1 | 7): number[] {
  return [0, 1, 2, 3, 4, 5, 6].map((at) => ((first - 1 + at) % 7) + 1)
}

/** "Monday", or "Mon". */
export function weekdayName(weekday: number, style: 'long' | 'short' = 'long'): string {
  // 2024-01-01 was a Monday.
  const format = dateFormat('en-GB', { weekday: style, timeZone: 'UTC' })
  return format.format(Date.UTC(2024, 0, weekday))
}

export function plural(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`
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

/** "2 March 2026", or "March 2, 2026"; with the weekday in front. */
export function formatWeekdayDate(date: string, region: Region): string {
  return dateFormat(regionFacts[region].locale, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(new Date(`${date}T12:00:00Z`))
}

export const holidayCalendars: Record<HolidayCalendar, string> = {
  england_wales: 'England and Wales',
  scotland: 'Scotland',
  northern_ireland: 'Northern Ireland',
  usa: 'the USA',
}
