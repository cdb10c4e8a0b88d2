import { DESK_MARKS, type DeskMark } from '#contract/booking-desk.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Marking } from '#contract/outcomes.ts'
import { DAY_MS } from '#contract/time.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { DeskVisitRow } from '#db/tables/booking.ts'
import { type Markable, markedAs, markingOf } from '#server/booking/outcome-rules.ts'

/** Farther ahead nothing is put in, in days: as far as hours are looked at. */
const FARTHEST_DAYS = 731

/** The day an instant falls on in a zone, as days since 1970. */
function dayIn(timeZone: string, at: Instant): number {
  return Math.floor(wallClock(at, timeZone) / DAY_MS)
}

/**
 * Whether a day of a desk visit is over: it is before today at the place. Whoever walked in this morning
 * can still be put in this afternoon, corrected or taken out; what was yesterday stays as it is.
 */
function isOver(start: Instant, { timeZone, now }: { timeZone: string; now: Instant }) {
  return dayIn(timeZone, start) < dayIn(timeZone, now)
}

type Wanted = { start: Instant; timeZone: string; now: Instant }

/**
 * Why no desk visit can be put at a time, or null when it can. It need not be one that is offered: it may
 * lie in a block, outside the hours or within the notice. From the start of today on, two years at most,
 * and on a whole minute; whether somebody has it the claim decides.
 */
export function whyNotAt({ start, timeZone, now }: Wanted): ErrorCode | null {
  if (start % 60_000 !== 0) return 'date_invalid'
  if (isOver(start, { timeZone, now })) return 'date_passed'
  return start - now > FARTHEST_DAYS * DAY_MS ? 'date_too_far' : null
}

type Changing = Pick<DeskVisitRow, 'state' | 'start_at' | 'time_zone'>

/** Why a desk visit cannot be edited any more, or null while it can. */
export function whyNotEdit(visit: Changing, now: Instant): ErrorCode | null {
  if (visit.state === 'cancelled') return 'visit_cancelled'
  return isOver(visit.start_at, { timeZone: visit.time_zone, now }) ? 'desk_over' : null
}

/** Why it cannot be moved or cancelled: as for editing, nor once it is marked as completed or missed. */
export function whyNotChange(
  visit: Changing & Pick<DeskVisitRow, 'outcome'>,
  now: Instant,
): ErrorCode | null {
  return whyNotEdit(visit, now) ?? (visit.outcome === null ? null : 'desk_marked')
}

/** How a desk visit stands, and what its provider may mark it as now: nothing that moves money. */
export function deskMarking(visit: Markable, now: Instant): Marking {
  const marking = markingOf(visit, now)
  return { ...marking, can: marking.can.filter((mark) => DESK_MARKS.includes(mark)) }
}

type Marked = Pick<DeskVisitRow, 'outcome' | 'outcome_at' | 'arrived_at'>

/** What a desk visit is after it was marked; marked the same again it stays as it is. */
export function deskMarkedAs(visit: Markable, mark: DeskMark, now: Instant): Marked {
  const { outcome, ...rest } = markedAs(visit, mark, now)
  return { ...rest, outcome: outcome === 'not_held' ? null : outcome }
}
