import {
  HOLD_MS,
  MAX_BOOKINGS_A_DAY,
  MAX_COMING,
  MAX_COMING_WITH_PROVIDER,
  MAX_HOLDS,
  MAX_UNPAID_A_DAY,
  type VisitType,
} from '#contract/booking.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Money } from '#contract/money.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'
import { AppError } from '#server/kernel/errors.ts'

/**
 * The instants a wall clock shows a time of a day at: one as a rule, none where the clocks go forward
 * over it, two where they go back. `date` is ISO and real, `time` is `09:30`.
 */
export function instantsAt(timeZone: string, date: string, time: string): Instant[] {
  const wall = Temporal.PlainDateTime.from(`${date}T${time}`)
  const readings = (['earlier', 'later'] as const)
    .map((disambiguation) => wall.toZonedDateTime(timeZone, { disambiguation }))
    .filter((there) => there.toPlainDateTime().equals(wall))
    .map((there) => there.epochMilliseconds)
  return [...new Set(readings)]
}

type When = { startsAt?: string | undefined; date?: string | undefined; time?: string | undefined }

/**
 * The instants a caller may mean, earliest first. Throws `slot_impossible` for a wall time that no
 * clock shows on that day.
 */
export function slotAt(when: When, timeZone: string): Instant[] {
  const { startsAt, date, time } = when
  if (startsAt !== undefined) return [Temporal.Instant.from(startsAt).epochMilliseconds]
  if (date === undefined || time === undefined) throw new AppError('date_invalid')
  const instants = instantsAt(timeZone, date, time)
  if (instants.length === 0) throw new AppError('slot_impossible')
  return instants
}

/** Why a patient moved a visit where its provider had asked them to: no move of their own. */
export const PROPOSED = 'proposed'

/** Whoever has less time left to pay is not offered the visit any more. */
const LEAST_HOLD_MS = 60_000

/** Whether a visit that has to be paid for by then can still be held. */
export function isTimeToPay(payBy: Instant, now: Instant): boolean {
  return payBy - now >= LEAST_HOLD_MS
}

/** Until when a time is kept from an instant on: never longer than it may be paid for. */
export function holdEnd(from: Instant, payBy: Instant): Instant {
  return Math.min(from + HOLD_MS, payBy)
}

type Held = Pick<BookingRow, 'state' | 'hold_until' | 'pay_by' | 'renewed'>

/** Whether the time is still kept. */
export function isKept(hold: Pick<Held, 'state' | 'hold_until'>, now: Instant): boolean {
  return hold.state === 'held' && hold.hold_until > now
}

/** Why a hold cannot be kept for longer, or null when it can. */
export function whyNotRenew(hold: Held, now: Instant): ErrorCode | null {
  const isLongest = hold.renewed === 1 || hold.hold_until >= hold.pay_by
  return whyNotKept(hold, now) ?? (isLongest ? 'hold_renewed' : null)
}

/** Why nothing can be done with a hold any more, or null while it is kept. */
export function whyNotKept(
  hold: Pick<Held, 'state' | 'hold_until'>,
  now: Instant,
): ErrorCode | null {
  if (isKept(hold, now)) return null
  return hold.state === 'confirmed' || hold.state === 'cancelled' ? 'hold_paid' : 'hold_expired'
}

type Own = Pick<BookingRow, 'state' | 'hold_until' | 'confirmed_at'>

/** Refuses one more hold to somebody who has enough of them, or enough visits booked today. */
export function assertMayHoldMore(own: readonly Own[], now: Instant): void {
  const kept = own.filter((one) => one.state === 'held' && one.hold_until > now)
  if (kept.length >= MAX_HOLDS) throw new AppError('too_many_holds')
  const booked = own
    .map((one) => (one.state === 'held' ? null : one.confirmed_at))
    .filter((at) => at !== null && at > now - DAY_MS)
  if (booked.length < MAX_BOOKINGS_A_DAY) return
  const oldest = Math.min(...booked.map((at) => at ?? now))
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.ceil((oldest + DAY_MS - now) / 1_000),
  })
}

/**
 * Holds that are not paid for, by what caps them, so that nobody keeps a provider's times from others:
 * - `patient`: times one patient has held in 24 hours without booking them, given back or not;
 * - `network`: times kept at one moment from one IPv4 address or IPv6 /48;
 * - `provider`: times of one provider kept at one moment.
 * The last two count only people who have never paid for a visit: each is a new account, and new
 * accounts are to be had by anybody. Visitors count among them, and their day is that of their network
 * (`visitor_hold`).
 */
export const MAX_UNPAID_HOLDS = { patient: MAX_UNPAID_A_DAY, network: 12, provider: 10 } as const
export type UnpaidCap = keyof typeof MAX_UNPAID_HOLDS

type Cap = { name: UnpaidCap; max: number; now: Instant }

/**
 * Refuses one more hold with `too_many_unpaid_holds` when as many as the cap allows count already.
 * `countUntil`: until when each of them does, which tells the seconds to wait.
 */
export function assertWithinCap({ name, max, now }: Cap, countUntil: readonly Instant[]): void {
  if (countUntil.length < max) return
  const freeAt = countUntil.toSorted((a, b) => a - b)[countUntil.length - max] ?? now
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt - now) / 1_000))
  throw new AppError('too_many_unpaid_holds', { cap: name, retryAfterSeconds })
}

/**
 * Refuses one more hold with `too_many_coming` to somebody who has as many upcoming visits as anybody may,
 * with this provider or in all. `coming`: those booked that have not begun, and the times they keep.
 */
export function assertMayComeMore(
  coming: readonly Pick<BookingRow, 'provider_no'>[],
  providerNo: number,
): void {
  const withProvider = coming.filter((one) => one.provider_no === providerNo)
  if (withProvider.length >= MAX_COMING_WITH_PROVIDER) {
    throw new AppError('too_many_coming', { cap: 'provider', max: MAX_COMING_WITH_PROVIDER })
  }
  if (coming.length < MAX_COMING) return
  throw new AppError('too_many_coming', { cap: 'patient', max: MAX_COMING })
}

/** Why the follow-up fee was granted; null when it is not. */
export function followUpBasis(
  policy: ProviderRow['follow_up_policy'],
  hasBeenHere: boolean,
): BookingRow['follow_up_basis'] {
  if (hasBeenHere) return 'history'
  return policy === 'trust' ? 'self_declared' : null
}

type Priced = Pick<BookingRow, 'first_minor' | 'follow_minor' | 'currency'>

/** What a visit costs, from the prices of the moment it was held. */
export function priceOf(booking: Priced, type: VisitType): Money {
  const minor = type === 'follow_up' ? booking.follow_minor : booking.first_minor
  return { minor, currency: booking.currency }
}

export function isSamePrice(one: Money, other: Money): boolean {
  return one.minor === other.minor && one.currency === other.currency
}

/** The three free instants nearest to the one wanted, in the order of the clock. */
export function nearestOf(free: readonly Instant[], wanted: Instant): Instant[] {
  return free
    .toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)
    .slice(0, 3)
    .toSorted((a, b) => a - b)
}

/** Whole years somebody born on a day has lived on another; both are ISO dates. */
export function ageOn(born: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4))
  return today.slice(5) < born.slice(5) ? years - 1 : years
}

type Named = Pick<ProviderRow, 'title' | 'first_name' | 'last_name'>

/** The name as patients see it: "Dr Ada Lovelace". */
export function shownName({ title, first_name: first, last_name: last }: Named): string {
  return [title, first, last].filter(Boolean).join(' ')
}

/** Where the next page begins: after a visit's start and its place among those of that instant. */
export type Cursor = { startAt: Instant; no: number }

export function cursorText({ startAt, no }: Cursor): string {
  return `${startAt}.${no}`
}

/** A cursor as it came back; anything else is a page that does not exist. */
export function readCursor(text: string): Cursor {
  const [, startAt, no] = /^(\d{1,15})\.(\d{1,10})$/.exec(text) ?? []
  if (startAt === undefined || no === undefined) throw new AppError('page_invalid')
  return { startAt: Number(startAt), no: Number(no) }
}
