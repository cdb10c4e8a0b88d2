import { minutesOf, wallTime } from '#app/lib/dates/slot-choice.ts'
import { dayOf } from '#app/lib/format/dates.ts'
import { groupBy } from '#app/lib/group-by.ts'
import type { TimeReason, WeekPlan } from '#contract/availability.ts'
import type { ProviderWeek, WeekVisit } from '#contract/booking-provider.ts'

export type Stretch = WeekPlan['days'][number]['stretches'][number]

/** Span in local minutes after midnight; when clocks go back, an hour occurs twice. */
export type Span = { from: number; to: number }

/** A selected time span on a day, and the place whose hours it lies in, if any. */
export type SelectedSpan = Span & { date: string; placeId?: string | null }

/** A stretch of a day other than a visit: free, held, blocked or closed time. */
export type Band = Span & {
  reason: TimeReason
  label: string
  /** The label after the times. */
  text: string
  startsAt: string
  /** Place whose hours these are; null outside all hours. */
  placeId: string | null
}

export type CalendarDay = {
  date: string
  isToday: boolean
  /** True for days before today. */
  isOver: boolean
  /** Reason why all hours of the day are closed: "Away: Skiing", "Public holiday: Good Friday". */
  closed: string | null
  bands: Band[]
  /** All stretches of the day's plan. */
  stretches: readonly Stretch[]
  visits: (Span & { visit: WeekVisit })[]
}

export type CalendarWeek = {
  /** First and last hour of the grid, in whole hours. */
  hours: Span
  days: CalendarDay[]
}

/** Local time in a zone, in minutes after midnight. */
export function clockMinutes(at: string, timeZone: string): number {
  return minutesOf(wallTime(at, timeZone))
}

/** Local span between two instants of one day; midnight at the end is 24:00. */
export function spanOf(
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
  timeZone: string,
): Span {
  const from = clockMinutes(startsAt, timeZone)
  const to = clockMinutes(endsAt, timeZone)
  return { from, to: to <= from ? 1_440 : to }
}

/** Reasons drawn in the calendar besides visits; other hours stay plain. */
const SHOWN_REASONS = new Set<TimeReason>([
  'free',
  'held',
  'blocked',
  'outside_calendar',
  'absence',
  'holiday',
])

/** Working hours, whether bookable or not. */
const isWorkingHours = ({ placeId, reason }: Stretch) =>
  placeId !== null && reason !== 'outside_hours'

function closureText(stretches: readonly Stretch[]): string | null {
  const hours = stretches.filter(isWorkingHours)
  const [first] = hours
  if (first === undefined) return null
  const isClosed = hours.every(({ reason }) => reason === 'absence' || reason === 'holiday')
  return isClosed ? first.label : null
}

const isWeekend = (date: string) => [0, 6].includes(new Date(`${date}T12:00:00Z`).getUTCDay())

/** Hours shown on days without working hours. */
const DEFAULT_HOURS: Span = { from: 7 * 60, to: 19 * 60 }

/**
 * Range of the grid in whole hours: working hours, visits and blocks. The night that a block extends into is
 * not shown.
 */
function gridHours({
  hours,
  visits,
  blocked,
}: Record<'hours' | 'visits' | 'blocked', Span[]>): Span {
  const frame = hours.length > 0 ? hours : [DEFAULT_HOURS]
  const froms = blocked.map(({ from }) => from).filter((from) => from > 0)
  const tos = blocked.map(({ to }) => to).filter((to) => to < 1_440)
  const first = Math.min(...[...frame, ...visits].map(({ from }) => from), ...froms)
  const last = Math.max(...[...frame, ...visits].map(({ to }) => to), ...tos)
  return { from: Math.floor(first / 60) * 60, to: Math.ceil(last / 60) * 60 }
}

/** Clips bands to the range of the grid. */
export function clipBands(bands: readonly Band[], hours: Span): Band[] {
  return bands
    .map((band) => ({
      ...band,
      from: Math.max(band.from, hours.from),
      to: Math.min(band.to, hours.to),
    }))
    .filter(({ from, to }) => from < to)
}

/**
 * Free times of a day, as worded in its plan. Times at one place that are separated only by buffers are
 * merged: "09:00 to 12:10".
 */
export function mergedFreeTimes(stretches: readonly Stretch[]): string[] {
  const runs: { from: string; to: string; placeId: string | null; last: number }[] = []
  for (const [at, stretch] of stretches.entries()) {
    if (stretch.reason !== 'free') continue
    const { from, to } = stretch
    const before = runs.at(-1)
    const isParted =
      before === undefined ||
      before.placeId !== stretch.placeId ||
      stretches.slice(before.last + 1, at).some(({ reason }) => reason !== 'buffer')
    if (isParted) runs.push({ from, to, placeId: stretch.placeId, last: at })
    else Object.assign(before, { to, last: at })
  }
  return runs.map(({ from, to }) => `${from} to ${to}`)
}

/** Groups visits by start day in the calendar's zone. */
export function visitsByDay(
  visits: readonly WeekVisit[],
  timeZone: string,
): ReadonlyMap<string, WeekVisit[]> {
  return groupBy(visits, (visit) => dayOf(visit.startsAt, timeZone))
}

/**
 * Lays out a provider's days in the zone of the main place, also visits elsewhere: what is drawn side by side happens
 * at the same time. In a whole week, weekends without hours, blocks and visits are omitted. */
export function layOut(plan: WeekPlan, week: Pick<ProviderWeek, 'visits'>): CalendarWeek {
  const { timeZone, today } = plan
  const byDay = visitsByDay(week.visits, timeZone)
  const all: Parameters<typeof gridHours>[0] = { hours: [], visits: [], blocked: [] }
  const days = plan.days.flatMap(({ date, stretches }): CalendarDay[] => {
    const visits = (byDay.get(date) ?? []).map((visit) => ({
      visit,
      ...spanOf(visit, timeZone),
    }))
    const hours = stretches.filter(isWorkingHours).map((one) => spanOf(one, timeZone))
    const bands = stretches
      .filter(({ reason }) => SHOWN_REASONS.has(reason))
      .map(({ reason, label, text, startsAt, placeId, endsAt }) => ({
        reason,
        label,
        text,
        startsAt,
        placeId,
        ...spanOf({ startsAt, endsAt }, timeZone),
      }))
    const blocked = bands.filter(({ reason }) => reason === 'blocked')
    const isEmpty = [...visits, ...hours, ...blocked].length === 0
    if (isEmpty && plan.days.length > 1 && isWeekend(date)) return []
    all.hours.push(...hours)
    all.visits.push(...visits)
    all.blocked.push(...blocked)
    const isToday = date === today
    const isOver = date < today
    return [{ date, isToday, isOver, closed: closureText(stretches), bands, stretches, visits }]
  })
  return { hours: gridHours(all), days }
}
