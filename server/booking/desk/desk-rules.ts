import type { ErrorCode } from '#contract/base/errors.ts'
import { DAY_MS } from '#contract/base/time.ts'
import { DESK_MARKS, type DeskMark } from '#contract/booking-desk.ts'
import { visitLife } from '#contract/life-cycles/visit.ts'
import type { Marking } from '#contract/outcomes.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { DeskVisitRow } from '#db/tables/booking.ts'
import { type Markable, markedAs, markingOf } from '#server/booking/outcome-rules.ts'

/** How far ahead desk visits can be booked, in days: the same limit as for hours. */
const MAX_DAYS_AHEAD = 731

/**
 * The day an instant falls on in a zone, as days since 1970. As `dayAt` of availability, for instants that may
 * be centuries away.
 */
function dayIn(timeZone: string, at: Instant): number {
  return Math.floor(wallClock(at, timeZone) / DAY_MS)
}

/**
 * Whether the day of a desk visit is in the past in its time zone. Visits of today can still be added,
 * corrected or removed, even if their time has passed; earlier days are closed.
 */
function isOver(start: Instant, { timeZone, now }: { timeZone: string; now: Instant }) {
  return dayIn(timeZone, start) < dayIn(timeZone, now)
}

type NewTime = { start: Instant; timeZone: string; now: Instant }

/**
 * Why no desk visit can be booked at a time, or null when it can. The time need not be on offer: it may be
 * blocked, outside the hours or within the notice period. Allowed from the start of today to two years ahead,
 * on a whole minute. The claim decides whether the time is taken.
 */
export function whyNotBookableAt({ start, timeZone, now }: NewTime): ErrorCode | null {
  if (start % 60_000 !== 0) return 'date_invalid'
  if (isOver(start, { timeZone, now })) return 'date_passed'
  return start - now > MAX_DAYS_AHEAD * DAY_MS ? 'date_too_far' : null
}

type ChangeableVisit = Pick<DeskVisitRow, 'state' | 'start_at' | 'time_zone'>

/** Why a desk visit cannot be edited any more, or null while it can. */
export function whyNotEdit(visit: ChangeableVisit, now: Instant): ErrorCode | null {
  if (!visitLife.may('cancel', visit.state)) return 'visit_cancelled'
  return isOver(visit.start_at, { timeZone: visit.time_zone, now }) ? 'desk_over' : null
}

/** Why it cannot be moved or cancelled: as for editing, and once it is marked as completed or missed. */
export function whyNotChange(
  visit: ChangeableVisit & Pick<DeskVisitRow, 'outcome'>,
  now: Instant,
): ErrorCode | null {
  return whyNotEdit(visit, now) ?? (visit.outcome === null ? null : 'desk_marked')
}

/** A desk visit's outcome, and the marks its provider may set now: none that move money. */
export function deskMarking(visit: Markable, now: Instant): Marking {
  const marking = markingOf(visit, now)
  return { ...marking, can: marking.can.filter((mark) => DESK_MARKS.includes(mark)) }
}

type MarkedColumns = Pick<DeskVisitRow, 'outcome' | 'outcome_at' | 'arrived_at'>

/** A desk visit's outcome columns after a mark; repeating the same mark changes nothing. */
export function deskMarkedAs(visit: Markable, mark: DeskMark, now: Instant): MarkedColumns {
  const { outcome, ...rest } = markedAs(visit, mark, now)
  return { ...rest, outcome: outcome === 'not_held' ? null : outcome }
}
