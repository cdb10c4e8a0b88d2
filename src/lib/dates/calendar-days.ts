import { dateFormat } from '#contract/base/intl.ts'

// Calendar maths on ISO text, in UTC throughout: a calendar day has no zone and no clock change.

const DAY = 86_400_000

function toTime(date: string): number {
  return Date.parse(`${date}T00:00:00Z`)
}

function toText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The day so many days later, or earlier when negative: `2026-02-28`, 1 gives `2026-03-01`. */
export function addDays(date: string, days: number): string {
  return toText(toTime(date) + days * DAY)
}

/** Whole days from one calendar day to a later one; negative when it is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((toTime(to) - toTime(from)) / DAY)
}

/** Monday is 1, Sunday is 7. */
export function weekdayOf(date: string): number {
  return new Date(toTime(date)).getUTCDay() || 7
}

/** The month of a day: `2026-03`. */
export function monthOf(date: string): string {
  return date.slice(0, 7)
}

/** The month so many months later: `2026-12`, 1 gives `2027-01`. */
export function addMonths(month: string, months: number): string {
  const [year = 0, at = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, at - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The last day of a month: `2026-02` gives `2026-02-28`. */
export function lastDayOf(month: string): string {
  return addDays(`${addMonths(month, 1)}-01`, -1)
}

/** The weeks of a month as rows of seven; days of the neighbouring months are null. */
export function weeksOf(month: string, firstWeekday: 1 | 7): (string | null)[][] {
  const first = `${month}-01`
  const lead = (weekdayOf(first) - firstWeekday + 7) % 7
  const count = Number(lastDayOf(month).slice(8))
  const rows = Math.ceil((lead + count) / 7)
  return Array.from({ length: rows }, (_row, row) =>
    Array.from({ length: 7 }, (_column, column) => {
      const day = row * 7 + column - lead
      return day >= 0 && day < count ? addDays(first, day) : null
    }),
  )
}

/** The weekdays in the order of a region's calendars; 1 is Monday. */
export function weekdaysFrom(first: 1 | 7): number[] {
  return [0, 1, 2, 3, 4, 5, 6].map((at) => ((first - 1 + at) % 7) + 1)
}

/** "Monday", or "Mon". */
export function weekdayName(weekday: number, style: 'long' | 'short' = 'long'): string {
  // 2024-01-01 was a Monday.
  const format = dateFormat('en-GB', { weekday: style, timeZone: 'UTC' })
  return format.format(Date.UTC(2024, 0, weekday))
}
