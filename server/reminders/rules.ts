import { DAY_MS } from '#contract/base/time.ts'
import type { Instant } from '#db/columns.ts'

export type ReminderKind = 'week' | 'day'
export const KINDS: readonly ReminderKind[] = ['week', 'day']

/** Calendar days before the visit. */
const DAYS_BEFORE: Record<ReminderKind, number> = { week: 7, day: 1 }

const HOUR_MS = 3_600_000

/** A visit booked or moved this recently needs no reminder. */
const RECENTLY_AGREED_MS = DAY_MS

/** A reminder less than this long before the visit is of no use. */
const MIN_NOTICE_MS = 2 * HOUR_MS

/** How late the week's reminder may be sent. */
const WEEK_GRACE_MS = DAY_MS

/** Whole hours in the clinic's time zone. */
export type Hours = { fromHour: number; toHour: number }

/**
 * When to send a reminder: at the visit's local time, the given number of calendar days before, moved to the
 * nearest end of the hours where it lies outside them. `timeZone` is the clinic's. A local time that clocks
 * skip becomes the one an hour later; of one that occurs twice the first is used.
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

/** The facts of a booked visit that its reminders depend on. */
export type Remindable = {
  startAt: Instant
  timeZone: string
  /** When the visit was booked or last moved. */
  agreedAt: Instant
  hours: Hours
}

/** When a reminder of a kind is due; null when the visit was booked or moved too recently for it. */
export function dueAt(kind: ReminderKind, visit: Remindable): Instant | null {
  const { startAt, timeZone, agreedAt, hours } = visit
  const due = remindAt(startAt, timeZone, { days: DAYS_BEFORE[kind], hours })
  return agreedAt > due - RECENTLY_AGREED_MS ? null : due
}

type DueReminder = { kind: ReminderKind; startAt: Instant; dueAt: Instant }

/** Whether a reminder is still useful at an instant. */
export function isUseful({ kind, startAt, dueAt: due }: DueReminder, now: Instant): boolean {
  return kind === 'week' ? now <= due + WEEK_GRACE_MS : startAt - now >= MIN_NOTICE_MS
}

/**
 * The range of starts of visits that may have a reminder due now. It is due up to half a day earlier or later
 * than exactly that many days before, because of the hours, plus an hour for clock changes.
 */
export function dueStarts(kind: ReminderKind, now: Instant): { from: Instant; to: Instant } {
  const middle = now + DAYS_BEFORE[kind] * DAY_MS
  const reach = 13 * HOUR_MS
  const late = kind === 'week' ? WEEK_GRACE_MS : DAY_MS
  return { from: Math.max(now, middle - reach - late), to: middle + reach }
}
