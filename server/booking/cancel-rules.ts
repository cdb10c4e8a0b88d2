import type { Money } from '#contract/base/money.ts'
import { toIso } from '#contract/base/time.ts'
import type { Cancellation, LateFee, VisitType } from '#contract/booking.ts'
import { COOLING_OFF_MS, COOLING_OFF_NOTICE_MS, REFILLED_WITHIN_MS } from '#contract/visits.ts'
import type { Instant, MinorUnits } from '#db/columns.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import { priceOf } from './rules.ts'

const HOUR_MS = 3_600_000

type Policy = Pick<BookingRow, 'start_at' | 'region' | 'free_cancel_hours'>

/**
 * Deadline for free cancellation of a visit booked or moved at `now`: the provider's notice before the start.
 * In the UK no earlier than 14 days after booking, but at the latest a day before the visit (Consumer
 * Contracts Regulations 2013, as health marketplaces apply them).
 */
export function freeUntil(policy: Policy, now: Instant): Instant {
  const { start_at: start, region, free_cancel_hours: hours } = policy
  const byPolicy = start - hours * HOUR_MS
  if (region !== 'uk') return byPolicy
  return Math.max(byPolicy, Math.min(now + COOLING_OFF_MS, start - COOLING_OFF_NOTICE_MS))
}

type FixedPolicy = Policy & Pick<BookingRow, 'free_until' | 'confirmed_at'>

/** Free-cancellation deadline of a booking: as fixed at confirmation, or as it would be if confirmed now. */
export function freeUntilOf(booking: FixedPolicy, now: Instant): Instant {
  return booking.free_until ?? freeUntil(booking, booking.confirmed_at ?? now)
}

/**
 * Free-cancellation deadline after a move to `start` at `now`. Moved before the deadline, it is computed
 * anew; moved after it, the expired deadline stays, so that a move cannot avoid the fee. Where cancelling is
 * free until the start, as after a change by the provider, it stays so.
 */
export function freeUntilAfterMove(booking: FixedPolicy, start: Instant, now: Instant): Instant {
  const until = freeUntilOf(booking, now)
  if (until >= booking.start_at) return start
  return now < until ? freeUntil({ ...booking, start_at: start }, now) : until
}

/** Minor units kept of a price, rounded down in the patient's favour. */
export function retainedOf(price: MinorUnits, percent: number): MinorUnits {
  return Math.floor((price * percent) / 100)
}

/** Minor units to refund: all that is left while cancelling is free, else less what is kept; at least 0. */
export function refundOf({
  left,
  kept,
  isFree,
}: {
  left: MinorUnits
  kept: MinorUnits
  isFree: boolean
}) {
  return isFree ? left : Math.max(0, left - kept)
}

type AgreedTerms = FixedPolicy &
  Pick<BookingRow, 'late_cancel_percent' | 'first_minor' | 'follow_minor' | 'currency'> & {
    no_show_percent: number
  }

/** What cancelling a held or booked visit costs, as every page and email says it. */
export function cancellationOf(booking: AgreedTerms, now: Instant): Cancellation {
  const until = freeUntilOf(booking, now)
  const kept = (type: VisitType): Money => {
    const { minor, currency } = priceOf(booking, type)
    return { minor: retainedOf(minor, booking.late_cancel_percent), currency }
  }
  return {
    freeHours: booking.free_cancel_hours,
    latePercent: booking.late_cancel_percent,
    noShowPercent: booking.no_show_percent,
    freeUntil: toIso(until),
    isFree: now < until,
    kept: { first_visit: kept('first_visit'), follow_up: kept('follow_up') },
  }
}

type CancelledRow = Pick<BookingRow, 'end_at' | 'currency'> & {
  paid_minor: MinorUnits | null
  /** Minor units received, where staff accepted more than the price. */
  taken_minor: MinorUnits | null
  kept_minor: MinorUnits | null
  /** Minor units refunded because the time was rebooked. */
  refilled_minor: MinorUnits | null
  /** Total refunded or being refunded. Postgres returns sums as text. */
  returned_minor: number | string | null
}

/** State at `now` of the fee of a visit that was cancelled late; null where none is kept. */
export function lateFeeOf(row: CancelledRow, now: Instant): LateFee | null {
  const { currency, kept_minor: retained, refilled_minor: refilled } = row
  const fee = (minor: number, state: LateFee['state']): LateFee | null =>
    minor > 0 ? { amount: { minor, currency }, state } : null
  if (refilled !== null) return fee(refilled, 'returned')
  // Staff may have refunded some of it since.
  const left = (row.taken_minor ?? row.paid_minor ?? 0) - Number(row.returned_minor ?? 0)
  const isOpen = now < row.end_at + REFILLED_WITHIN_MS
  return fee(Math.min(retained ?? 0, left), isOpen ? 'open' : 'kept')
}
