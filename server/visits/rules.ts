import type { ErrorCode } from '#contract/errors.ts'
import type { Money } from '#contract/money.ts'
import { MOST_MOVES } from '#contract/visits.ts'
import { FLAGGED_PROVIDER } from '#contract/visits-flags.ts'
import type { Instant } from '#db/columns.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import { freeUntilOf, keptOf, refundOf } from '#server/booking/cancel-rules.ts'
import { isSamePrice, priceOf } from '#server/booking/rules.ts'

/** Why a visit cannot be changed any more, or null while it can. */
export function whyNotChange(
  visit: Pick<BookingRow, 'state' | 'start_at'>,
  now: Instant,
): ErrorCode | null {
  if (visit.state !== 'confirmed') return 'visit_cancelled'
  return visit.start_at <= now ? 'visit_begun' : null
}

/** How often a patient who has moved a visit so often may still do so. */
export function movesLeft(made: number): number {
  return Math.max(0, MOST_MOVES - made)
}

type Movable = Pick<BookingRow, 'state' | 'start_at' | 'outcome'>

/**
 * Why a visit cannot be moved at `now`, or null when it can. `moves` is how often its patient has moved it;
 * null for those whom that does not bind.
 */
export function whyNotMove(
  visit: Movable,
  { now, moves }: { now: Instant; moves: number | null },
): ErrorCode | null {
  const refusal = whyNotChange(visit, now)
  if (refusal !== null) return refusal
  // Marked, whatever the clock says: what became of it is not undone by moving it.
  if (visit.outcome !== null) return 'visit_begun'
  return moves !== null && movesLeft(moves) === 0 ? 'moves_used_up' : null
}

type Agreed = Pick<
  BookingRow,
  | 'start_at'
  | 'region'
  | 'free_cancel_hours'
  | 'free_until'
  | 'confirmed_at'
  | 'late_cancel_percent'
  | 'visit_type'
  | 'first_minor'
  | 'follow_minor'
  | 'currency'
>

/** What cancelling gives back and keeps. `policy`: as agreed; `all`: whatever is left goes back. */
export type Terms = { refund: Money; kept: Money; freeUntil: Instant; isFree: boolean }

/** What cancelling a visit at `now` does with what is left of its money. */
export function termsOf(
  visit: Agreed,
  left: Money,
  by: { policy: 'agreed' | 'all'; now: Instant },
): Terms {
  const until = freeUntilOf(visit, by.now)
  const isFree = by.policy === 'all' || by.now < until
  const price = priceOf(visit, visit.visit_type)
  const kept = keptOf(price.minor, visit.late_cancel_percent)
  const refund = refundOf({ left: left.minor, kept, isFree })
  const { currency } = left
  return {
    refund: { minor: refund, currency },
    kept: { minor: left.minor - refund, currency },
    freeUntil: until,
    isFree,
  }
}

type Shown = { sequence: number; refund: Money }

/** Why what a page showed is not what would be done now, or null when it is. */
export function whyNotAsShown(
  shown: Shown,
  now: { sequence: number; refund: Money },
): 'changed_meanwhile' | 'terms_changed' | null {
  if (shown.sequence !== now.sequence) return 'changed_meanwhile'
  return isSamePrice(shown.refund, now.refund) ? null : 'terms_changed'
}

/**
 * Whether a provider who cancelled so many of these visits is shown to staff, and the share in percent,
 * with one decimal. Source: `FLAGGED_PROVIDER`.
 */
export function cancelShare(cancelled: number, visits: number) {
  const { percent: share, fullVisits, least, leastOfFew } = FLAGGED_PROVIDER
  const percent = visits === 0 ? 0 : Math.round((cancelled * 1_000) / visits) / 10
  const isEnough = cancelled >= (visits < fullVisits ? leastOfFew : least)
  return { percent, isFlagged: isEnough && cancelled * 100 >= visits * share }
}

type Returned = {
  left: Money
  refunds: readonly Pick<RefundRow, 'state' | 'amount_minor' | 'dealt_at'>[]
}

/**
 * Minor units that go back when the time of a visit that was cancelled late is taken: the fee, as far as
 * staff have not given it back, and with it a refund that failed and nobody has dealt with, in whose
 * place it is.
 */
export function feeToReturn(keptMinor: number, { left, refunds }: Returned): number {
  const failed = refunds
    .filter(({ state, dealt_at: at }) => state === 'failed' && at === null)
    .reduce((sum, { amount_minor: minor }) => sum + minor, 0)
  return Math.min(left.minor, keptMinor + failed)
}
