import { addDays, weekdayOf } from '#app/lib/calendar-days.ts'

/** Where a key press in the month grid leads: to a day with times, to another month, or nowhere. */
export type CalendarStep = { day: string } | { months: 1 | -1 } | null

type Grid = {
  /** Days of the month shown that have times, in order. */
  days: readonly string[]
  firstWeekday: 1 | 7
}

function nearest(days: readonly string[], from: string, step: 1 | -1): string | undefined {
  return step === 1 ? days.find((day) => day > from) : days.findLast((day) => day < from)
}

/** The same weekday some weeks away, else the nearest day with times in that direction. */
function sameWeekdayAway(days: readonly string[], from: string, step: 1 | -1): string | undefined {
  for (let week = 1; week <= 5; week += 1) {
    const day = addDays(from, step * 7 * week)
    if (days.includes(day)) return day
  }
  return nearest(days, from, step)
}

function sameWeek(grid: Grid, from: string): string[] {
  const start = addDays(from, -((weekdayOf(from) - grid.firstWeekday + 7) % 7))
  const end = addDays(start, 6)
  return grid.days.filter((day) => day >= start && day <= end)
}

const orStay = (day: string | undefined): CalendarStep => (day === undefined ? null : { day })
const orMonth = (day: string | undefined, months: 1 | -1): CalendarStep =>
  day === undefined ? { months } : { day }

/**
 * The keys of a date picker over a grid where only days with times can be pressed: arrows move by
 * day and week and run on into the next month, Home and End to the ends of the week, Page Up and
 * Page Down by month.
 */
export function moveInCalendar(key: string, from: string, grid: Grid): CalendarStep {
  switch (key) {
    case 'ArrowRight':
      return orMonth(nearest(grid.days, from, 1), 1)
    case 'ArrowLeft':
      return orMonth(nearest(grid.days, from, -1), -1)
    case 'ArrowDown':
      return orMonth(sameWeekdayAway(grid.days, from, 1), 1)
    case 'ArrowUp':
      return orMonth(sameWeekdayAway(grid.days, from, -1), -1)
    case 'Home':
      return orStay(sameWeek(grid, from)[0])
    case 'End':
      return orStay(sameWeek(grid, from).at(-1))
    case 'PageUp':
      return { months: -1 }
    case 'PageDown':
      return { months: 1 }
    default:
      return null
  }
}
