import type { ErrorCode } from '#contract/base/errors.ts'
import { toIso } from '#contract/base/time.ts'
import { visitLife, visitStage } from '#contract/life-cycles/visit.ts'
import {
  ARRIVE_EARLY_MS,
  CONTEST_WITHIN_MS,
  MARK_WITHIN_MS,
  Mark,
  type Marking,
  NO_SHOW_AFTER_MS,
} from '#contract/outcomes.ts'
import type { Instant, MinorUnits } from '#db/columns.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import { retainedOf } from './cancel-rules.ts'
import { priceOf } from './rules.ts'

export type Markable = Pick<
  BookingRow,
  'state' | 'start_at' | 'end_at' | 'outcome' | 'outcome_at' | 'arrived_at'
>

type MarkedBy = 'provider' | 'staff'

/** From when a mark can be set. */
function earliest(visit: Markable, mark: Mark): Instant {
  switch (mark) {
    case 'arrived':
    case 'none':
      return visit.start_at - ARRIVE_EARLY_MS
    case 'no_show':
      return visit.start_at + NO_SHOW_AFTER_MS
    case 'completed':
    case 'not_held':
      return visit.start_at
  }
}

/**
 * Why a mark cannot be set at an instant, or null when it can. A visit marked as not held is refunded, so its
 * outcome is final. Providers have until 48 hours after the end; staff have no deadline.
 */
export function whyNotMark(
  visit: Markable,
  mark: Mark,
  { now, by }: { now: Instant; by: MarkedBy },
): ErrorCode | null {
  const stage = visitStage(visit)
  if (!visitLife.may(mark, stage)) {
    return stage === 'not_held' ? 'outcome_final' : 'outcome_not_booked'
  }
  if (now < earliest(visit, mark)) return 'outcome_too_early'
  return by === 'provider' && now >= visit.end_at + MARK_WITHIN_MS ? 'outcome_closed' : null
}

type MarkedColumns = Pick<BookingRow, 'outcome' | 'outcome_at' | 'arrived_at'>

/** A visit's outcome columns after a mark; repeating the same mark changes nothing. */
export function markedAs(visit: Markable, mark: Mark, now: Instant): MarkedColumns {
  switch (mark) {
    case 'none':
      return { outcome: null, outcome_at: null, arrived_at: null }
    case 'arrived':
      return { outcome: null, outcome_at: null, arrived_at: visit.arrived_at ?? now }
    case 'completed':
    case 'no_show':
    case 'not_held': {
      const at = visit.outcome === mark ? visit.outcome_at : now
      const arrived = mark === 'completed' ? visit.arrived_at : null
      return { outcome: mark, outcome_at: at, arrived_at: arrived }
    }
  }
}

function isChange(visit: Markable, mark: Mark): boolean {
  const isUnmarked = visit.outcome === null && visit.arrived_at === null
  if (mark === 'none') return !isUnmarked
  if (mark === 'arrived') return visit.outcome !== null || visit.arrived_at === null
  return visit.outcome !== mark
}

/** A visit's outcome, and the marks its provider could still set now. */
export function markingOf(visit: Markable, now: Instant): Marking {
  const may = (mark: Mark) => whyNotMark(visit, mark, { now, by: 'provider' }) === null
  return {
    outcome: visit.outcome,
    arrivedAt: visit.arrived_at === null ? null : toIso(visit.arrived_at),
    can: Mark.options.filter((mark) => may(mark) && isChange(visit, mark)),
  }
}

/** Until when a patient may contest a no-show; null when the visit is not marked as one. */
export function contestUntil({
  outcome,
  outcome_at: at,
}: Pick<Markable, 'outcome' | 'outcome_at'>): Instant | null {
  return outcome === 'no_show' && at !== null ? at + CONTEST_WITHIN_MS : null
}

type MissedVisit = Pick<
  BookingRow,
  'no_show_percent' | 'visit_type' | 'first_minor' | 'follow_minor' | 'currency'
>

/** Minor units kept of a missed visit's price, of which no more than `left` is not refunded yet. */
export function retainedOfNoShow(visit: MissedVisit, left: MinorUnits): MinorUnits {
  const price = priceOf(visit, visit.visit_type)
  return Math.min(left, retainedOf(price.minor, visit.no_show_percent))
}
