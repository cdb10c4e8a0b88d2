import type { ErrorCode } from '#contract/base/errors.ts'
import type { Money } from '#contract/base/money.ts'
import { visitLife } from '#contract/life-cycles/visit.ts'
import { type CancelInput, MAX_MOVES } from '#contract/visits.ts'
import { FLAGGED_PROVIDER } from '#contract/visits-flags.ts'
import type { Instant } from '#db/columns.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import { freeUntilOf, refundOf, retainedOf } from '#server/booking/cancel-rules.ts'
import { isSamePrice, priceOf } from '#server/booking/rules.ts'

/** Why a visit cannot be changed any more, or null while it can. */
export function whyNotChange(
  visit: Pick<BookingRow, 'state' | 'start_at'>,
  now: Instant,
): ErrorCode | null {
  if (!visitLife.may('cancel', visit.state)) return 'visit_cancelled'
  return visit.start_at <= now ? 'visit_begun' : null
}

/** How many moves a patient has left after `made` moves. */
export function movesLeft(made: number): number {
  return Math.max(0, MAX_MOVES - made)
}

type Movable = Pick<BookingRow, 'state' | 'start_at' | 'outcome'>

/**
 * Why a visit cannot be moved at `now`, or null when it can. `moves` is how often its patient has moved it;
 * null where the limit does not apply.
 */
export function whyNotMove(
  visit: Movable,
  { now, moves }: { now: Instant; moves: number | null },
): ErrorCode | null {
  const refusal = whyNotChange(visit, now)
  if (refusal !== null) return refusal
  // An outcome is set, whatever the time is: a move must not undo it.
  if (visit.outcome !== null) return 'visit_begun'
  return moves !== null && movesLeft(moves) === 0 ? 'moves_used_up' : null
}

type AgreedTerms = Pick<
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

/**
 * Refund and fee of a cancellation. `policy`: `agreed` keeps the agreed fee; `all` refunds all that is left.
 */
export type Terms = { refund: Money; kept: Money; freeUntil: Instant; isFree: boolean }

/** The terms of cancelling a visit at `now`, given what is left of its payment. */
export function termsOf(
  visit: AgreedTerms,
  left: Money,
  by: { policy: 'agreed' | 'all'; now: Instant },
): Terms {
  const until = freeUntilOf(visit, by.now)
  const isFree = by.policy === 'all' || by.now < until
  const price = priceOf(visit, visit.visit_type)
  const kept = retainedOf(price.minor, visit.late_cancel_percent)
  const refund = refundOf({ left: left.minor, kept, isFree })
  const { currency } = left
  return {
    refund: { minor: refund, currency },
    kept: { minor: left.minor - refund, currency },
    freeUntil: until,
    isFree,
  }
}

/** What a page or a script showed; money without a currency is in that of the visit. */
export type Shown = Pick<CancelInput, 'sequence' | 'refund'>

/** Why the terms a page showed are outdated, or null when they are not. */
export function whyOutdated(
  shown: Shown,
  now: { sequence: number; refund: Money },
): 'changed_meanwhile' | 'terms_changed' | null {
  if (shown.sequence !== now.sequence) return 'changed_meanwhile'
  const { minor, currency = now.refund.currency } = shown.refund
  return isSamePrice({ minor, currency }, now.refund) ? null : 'terms_changed'
}

/**
 * Whether a provider who cancelled this many of their visits is shown to staff, and the share in percent with
 * one decimal. Source: `FLAGGED_PROVIDER`.
 */
export function cancelShare(cancelled: number, visits: number) {
  const { percent: share, fullVisits, least, leastOfFew } = FLAGGED_PROVIDER
  const percent = visits === 0 ? 0 : Math.round((cancelled * 1_000) / visits) / 10
  const isEnough = cancelled >= (visits < fullVisits ? leastOfFew : least)
  return { percent, isFlagged: isEnough && cancelled * 100 >= visits * share }
}

type PaymentLeft = {
  left: Money
  refunds: readonly Pick<RefundRow, 'state' | 'amount_minor' | 'dealt_at'>[]
}

/**
 * Minor units to refund when the time of a late-cancelled visit is rebooked: the fee, as far as staff have
 * not refunded it, plus refunds that failed and nobody has dealt with, which this one replaces.
 */
export function feeToReturn(keptMinor: number, { left, refunds }: PaymentLeft): number {
  const failed = refunds
    .filter(({ state, dealt_at: at }) => state === 'failed' && at === null)
    .reduce((sum, { amount_minor: minor }) => sum + minor, 0)
  return Math.min(left.minor, keptMinor + failed)
}
