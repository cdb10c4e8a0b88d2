import type { Cancellation, LateFee, VisitType } from '#contract/booking.ts'
import type { Money } from '#contract/money.ts'
import { toIso } from '#contract/time.ts'
import { COOLING_OFF_MS, COOLING_OFF_NOTICE_MS, REFILLED_WITHIN_MS } from '#contract/visits.ts'
import type { Instant, MinorUnits } from '#db/columns.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import { priceOf } from './rules.ts'

const HOUR_MS = 3_600_000

type Policy = Pick<BookingRow, 'start_at' | 'region' | 'free_cancel_hours'>

/**
 * Until when cancelling is free for somebody who books, or moves, at `now`: so many hours before as the
 * provider says. In the UK no earlier than 14 days after booking, as far as that is a day before the
 * visit (Consumer Contracts Regulations 2013, as health marketplaces practise them).
 */
export function freeUntil(policy: Policy, now: Instant): Instant {
  const { start_at: start, region, free_cancel_hours: hours } = policy
  const byPolicy = start - hours * HOUR_MS
  if (region !== 'uk') return byPolicy
  return Math.max(byPolicy, Math.min(now + COOLING_OFF_MS, start - COOLING_OFF_NOTICE_MS))
}

type Fixed = Policy & Pick<BookingRow, 'free_until' | 'confirmed_at'>

/** The same for a booking: what was fixed when it was confirmed, or what would be if it were now. */
export function freeUntilOf(booking: Fixed, now: Instant): Instant {
  return booking.free_until ?? freeUntil(booking, booking.confirmed_at ?? now)
}

/**
 * Until when cancelling is free once a visit is moved to `start` at `now`. Moved in time it is counted
 * anew; moved too late it stays over, so that moving away is no way around the fee. Where it is free until
 * the very start, as after a change by the provider, it stays so.
 */
export function freeUntilMoved(booking: Fixed, start: Instant, now: Instant): Instant {
  const until = freeUntilOf(booking, now)
  if (until >= booking.start_at) return start
  return now < until ? freeUntil({ ...booking, start_at: start }, now) : until
}

/** Minor units of a price that are kept, in the patient's favour where it does not come out even. */
export function keptOf(price: MinorUnits, percent: number): MinorUnits {
  return Math.floor((price * percent) / 100)
}

/** Minor units that go back: all that is left while it is free, else less what is kept; never below 0. */
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

type Agreed = Fixed &
  Pick<BookingRow, 'late_cancel_percent' | 'first_minor' | 'follow_minor' | 'currency'> & {
    no_show_percent: number
  }

/** What cancelling a held or booked visit costs, as every page and email says it. */
export function cancellationOf(booking: Agreed, now: Instant): Cancellation {
  const until = freeUntilOf(booking, now)
  const kept = (type: VisitType): Money => {
    const { minor, currency } = priceOf(booking, type)
    return { minor: keptOf(minor, booking.late_cancel_percent), currency }
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

type Cancelled = Pick<BookingRow, 'end_at' | 'currency'> & {
  paid_minor: MinorUnits | null
  kept_minor: MinorUnits | null
  /** What went back because the time was taken. */
  refilled_minor: MinorUnits | null
  /** All that went back or is on its way; a sum, which Postgres says as text. */
  returned_minor: number | string | null
}

/** What became of the fee of a visit that was cancelled late, at `now`; null where none is kept. */
export function lateFeeOf(row: Cancelled, now: Instant): LateFee | null {
  const { currency, kept_minor: kept, refilled_minor: refilled } = row
  const fee = (minor: number, state: LateFee['state']): LateFee | null =>
    minor > 0 ? { amount: { minor, currency }, state } : null
  if (refilled !== null) return fee(refilled, 'returned')
  // Staff may have given back some of it since.
  const left = (row.paid_minor ?? 0) - Number(row.returned_minor ?? 0)
  const isOpen = now < row.end_at + REFILLED_WITHIN_MS
  return fee(Math.min(kept ?? 0, left), isOpen ? 'open' : 'kept')
}
