import { DAY_MS } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'

export type ReminderKind = 'week' | 'day'
export const KINDS: readonly ReminderKind[] = ['week', 'day']

/** Calendar days before the visit. */
const DAYS_BEFORE: Record<ReminderKind, number> = { week: 7, day: 1 }

const HOUR_MS = 3_600_000

/** Whoever has just booked or moved a visit knows of it. */
const NEWS_MS = DAY_MS

/** A reminder that comes later than this before the visit helps nobody. */
const SHORTEST_NOTICE_MS = 2 * HOUR_MS

/** How late the reminder a week ahead may be. */
const WEEK_LATE_MS = DAY_MS

/** Whole hours on the clock of the clinic. */
export type Hours = { fromHour: number; toHour: number }

/**
 * When to remind of a visit: the same wall time so many calendar days before its start, moved to the
 * nearest end of the hours where it lies outside them. `timeZone` is the clinic's. A wall time that the
 * clocks skip is the one an hour later, a wall time that comes twice the first of the two.
 */
export function remindAt(
  start: Instant,
  timeZone: string,
  { days, hours }: { days: number; hours: Hours },
): Instant {
  const wall = Temporal.Instant.fromEpochMilliseconds(start)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .subtract({ days })
  const at = (hour: number) => wall.toPlainDate().toPlainDateTime({ hour })
  const [earliest, latest] = [at(hours.fromHour), at(hours.toHour)]
  const isEarly = Temporal.PlainDateTime.compare(wall, earliest) < 0
  const isLate = Temporal.PlainDateTime.compare(wall, latest) > 0
  const meant = isEarly ? earliest : isLate ? latest : wall
  return meant.toZonedDateTime(timeZone).epochMilliseconds
}

/** A booked visit, as far as its reminders depend on it. */
export type Remindable = {
  startAt: Instant
  timeZone: string
  /** When its patient booked it, or moved it last. */
  agreedAt: Instant
  hours: Hours
}

/** When a reminder of a kind falls due; null when there is none, as the visit was agreed on too lately. */
export function dueAt(kind: ReminderKind, visit: Remindable): Instant | null {
  const { startAt, timeZone, agreedAt, hours } = visit
  const due = remindAt(startAt, timeZone, { days: DAYS_BEFORE[kind], hours })
  return agreedAt > due - NEWS_MS ? null : due
}

type Written = { kind: ReminderKind; startAt: Instant; dueAt: Instant }

/** Whether a reminder that is due, or was, still helps at an instant. */
export function isOfUse({ kind, startAt, dueAt: due }: Written, now: Instant): boolean {
  return kind === 'week' ? now <= due + WEEK_LATE_MS : startAt - now >= SHORTEST_NOTICE_MS
}

/**
 * Between which starts visits may have a reminder due now. It falls due half a day earlier or later than
 * so many days before, by the hours people may choose, and an hour more by a change of the clocks.
 */
export function startsDue(kind: ReminderKind, now: Instant): { from: Instant; to: Instant } {
  const middle = now + DAYS_BEFORE[kind] * DAY_MS
  const reach = 13 * HOUR_MS
  const late = kind === 'week' ? WEEK_LATE_MS : DAY_MS
  return { from: Math.max(now, middle - reach - late), to: middle + reach }
}
