/** Calendar maths on ISO text, in UTC throughout: a calendar day has no zone and no clock change. */

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
