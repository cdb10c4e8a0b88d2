import * as z from 'zod/mini'
import { addDays, weekdayOf } from '#app/lib/dates/calendar-days.ts'
import { VisitId } from '#contract/base/ids.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'

/** `agenda` is one day of a week as a list, `list` is all of it. */
export const VIEWS = ['week', 'day', 'agenda', 'list'] as const
export type CalendarView = (typeof VIEWS)[number]

// The linter mistakes `z.catch` for the method of a promise.
const withFallback = z.catch

/** Query parameters of the calendar; invalid values are dropped. */
export const CalendarSearch = z.object({
  /** The displayed day, or any day of the displayed week. */
  on: withFallback(z.optional(z.iso.date()), undefined),
  view: withFallback(z.optional(z.enum(VIEWS)), undefined),
  /** The visit open in the drawer. */
  visit: withFallback(z.optional(VisitId), undefined),
})
export type CalendarSearch = z.infer<typeof CalendarSearch>

/** The first day of the week a day is in. */
function startOfWeek(date: string, firstWeekday: number): string {
  return addDays(date, -((weekdayOf(date) - firstWeekday + 7) % 7))
}

/** Which days are shown: one, or the week that holds it, as weeks begin at the clinic. */
export function daysOf(
  { view, on }: { view?: CalendarView | undefined; on: string },
  timeZone: string,
): { from: string; days: number } {
  if (view === 'day') return { from: on, days: 1 }
  return { from: startOfWeek(on, factsOfZone(timeZone).firstWeekday), days: 7 }
}
