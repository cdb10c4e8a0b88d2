import type { ErrorCode } from '#contract/base/errors.ts'
import type { Money } from '#contract/base/money.ts'
import { DAY_MS } from '#contract/base/time.ts'
import { statesText } from '#contract/base/us-states.ts'
import {
  HOLD_MS,
  MAX_BOOKINGS_PER_DAY,
  MAX_HOLDS,
  MAX_UNPAID_PER_DAY,
  MAX_UPCOMING,
  MAX_UPCOMING_WITH_PROVIDER,
  type VisitType,
} from '#contract/booking.ts'
import { isBooked } from '#contract/life-cycles/visit.ts'
import type { VisitMode } from '#contract/search.ts'
import { JOIN_AFTER_MS, JOIN_BEFORE_MS } from '#contract/visits-video.ts'
import type { Instant } from '#db/columns.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import type { ProviderRow, VisitTypeRow } from '#db/tables/profiles.ts'
import { AppError } from '#server/kernel/errors.ts'
import { workBeyond } from '#server/kernel/security/captcha.ts'

/**
 * The instants at which clocks show a time of a day: usually one, none where it is skipped, two where it
 * occurs twice. `date` is ISO and real, `time` is `09:30`.
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
 * The instants an input may mean, earliest first. Throws `slot_impossible` for a time that clocks skip on
 * that day.
 */
export function slotAt(when: When, timeZone: string): Instant[] {
  const { startsAt, date, time } = when
  if (startsAt !== undefined) return [Temporal.Instant.from(startsAt).epochMilliseconds]
  if (date === undefined || time === undefined) throw new AppError('date_invalid')
  const instants = instantsAt(timeZone, date, time)
  if (instants.length === 0) throw new AppError('slot_impossible')
  return instants
}

/** Reason of a move to a time the provider proposed: does not count as the patient's own move. */
export const REASON_PROPOSED = 'proposed'

/** Least time to pay: with less left, the visit is not offered. */
const MIN_HOLD_MS = 60_000

/** Whether a visit that has to be paid for by then can still be held. */
export function hasTimeToPay(payBy: Instant, now: Instant): boolean {
  return payBy - now >= MIN_HOLD_MS
}

/** When a hold made at `from` expires: never after its payment deadline. */
export function holdEnd(from: Instant, payBy: Instant): Instant {
  return Math.min(from + HOLD_MS, payBy)
}

type Held = Pick<BookingRow, 'state' | 'hold_until' | 'pay_by' | 'renewed'>

/** Whether a hold is active. */
export function isActiveHold(hold: Pick<Held, 'state' | 'hold_until'>, now: Instant): boolean {
  return hold.state === 'held' && hold.hold_until > now
}

/** Why a hold cannot be extended, or null when it can. */
export function whyNotRenew(hold: Held, now: Instant): ErrorCode | null {
  const isLongest = hold.renewed === 1 || hold.hold_until >= hold.pay_by
  return whyNotActive(hold, now) ?? (isLongest ? 'hold_renewed' : null)
}

/** Why a hold cannot be used any more, or null while it is active. */
export function whyNotActive(
  hold: Pick<Held, 'state' | 'hold_until'>,
  now: Instant,
): ErrorCode | null {
  if (isActiveHold(hold, now)) return null
  return isBooked(hold.state) ? 'hold_paid' : 'hold_expired'
}

type OwnBooking = Pick<BookingRow, 'state' | 'hold_until' | 'confirmed_at'>

/** Refuses one more hold at the cap on active holds or on visits booked today. */
export function assertHoldLimits(own: readonly OwnBooking[], now: Instant): void {
  const active = own.filter((one) => one.state === 'held' && one.hold_until > now)
  if (active.length >= MAX_HOLDS) throw new AppError('too_many_holds')
  const booked = own
    .map((one) => (one.state === 'held' ? null : one.confirmed_at))
    .filter((at) => at !== null && at > now - DAY_MS)
  if (booked.length < MAX_BOOKINGS_PER_DAY) return
  const oldest = Math.min(...booked.map((at) => at ?? now))
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.ceil((oldest + DAY_MS - now) / 1_000),
  })
}

/**
 * Caps on unpaid holds, so that nobody blocks a provider's times:
 * - `patient`: holds of one patient in 24 hours that were not booked, released or not. Beyond it they are refused;
 * - `networkOfProvider`: active holds from one network (`homeOf`) with one provider;
 * - `network`: active holds from one network;
 * - `provider`: active holds with one provider.
 * The last three count only people who have never paid for a visit, because anybody can open new accounts;
 * visitors are among them. Networks are shared and providers busy, so beyond these caps nobody is refused: each
 * further hold takes a solved challenge (decision 071).
 */
export const MAX_UNPAID_HOLDS = {
  patient: MAX_UNPAID_PER_DAY,
  networkOfProvider: 3,
  network: 12,
  provider: 10,
} as const

/** Refuses a patient's hold at their daily cap, with the seconds until the first of `heldAt` no longer counts. */
export function assertWithinPatientCap(heldAt: readonly Instant[], now: Instant): void {
  const max = MAX_UNPAID_HOLDS.patient
  if (heldAt.length < max) return
  const oldest = heldAt.toSorted((a, b) => a - b)[heldAt.length - max] ?? now
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest + DAY_MS - now) / 1_000))
  throw new AppError('too_many_unpaid_holds', { retryAfterSeconds })
}

type NewcomerHolds = { network: number; provider: number; networkOfProvider: number }

/** Work of the challenge that one more hold of a newcomer takes, beside these active ones; 0 for none. */
export function workOfNewcomer(active: NewcomerHolds): number {
  const excess = Math.max(
    active.networkOfProvider - MAX_UNPAID_HOLDS.networkOfProvider,
    active.network - MAX_UNPAID_HOLDS.network,
  )
  if (excess >= 0) return workBeyond(excess)
  // Other networks hold the provider's times, for which this one must not pay more.
  return active.provider >= MAX_UNPAID_HOLDS.provider ? 1 : 0
}

/**
 * Throws `too_many_coming` at the cap on upcoming visits, with this provider or in all. `coming`: upcoming
 * booked visits and active holds.
 */
export function assertUpcomingLimits(
  upcoming: readonly Pick<BookingRow, 'provider_no'>[],
  providerNo: number,
): void {
  const withProvider = upcoming.filter((one) => one.provider_no === providerNo)
  if (withProvider.length >= MAX_UPCOMING_WITH_PROVIDER) {
    throw new AppError('too_many_coming', { cap: 'provider', max: MAX_UPCOMING_WITH_PROVIDER })
  }
  if (upcoming.length < MAX_UPCOMING) return
  throw new AppError('too_many_coming', { cap: 'patient', max: MAX_UPCOMING })
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

/** Price of a visit, fixed when it was held. */
export function priceOf(booking: Priced, type: VisitType): Money {
  const minor = type === 'follow_up' ? booking.follow_minor : booking.first_minor
  return { minor, currency: booking.currency }
}

export function isSamePrice(one: Money, other: Money): boolean {
  return one.minor === other.minor && one.currency === other.currency
}

/** The three free instants nearest to the wanted one, in chronological order. */
export function nearestOf(free: readonly Instant[], wanted: Instant): Instant[] {
  return free
    .toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)
    .slice(0, 3)
    .toSorted((a, b) => a - b)
}

/** Age in whole years on `today` of somebody born on `born`; both are ISO dates. */
export function ageOn(born: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4))
  return today.slice(5) < born.slice(5) ? years - 1 : years
}

/** Page cursor: the last visit's start, and its number among those with the same start. */
export type Cursor = { startAt: Instant; no: number }

export function formatCursor({ startAt, no }: Cursor): string {
  return `${startAt}.${no}`
}

/** Parses a cursor; throws for anything else, as for a page that does not exist. */
export function parseCursor(text: string): Cursor {
  const [, startAt, no] = /^(\d{1,15})\.(\d{1,10})$/.exec(text) ?? []
  if (startAt === undefined || no === undefined) throw new AppError('page_invalid')
  return { startAt: Number(startAt), no: Number(no) }
}

type OfferedBy = Pick<ProviderRow, 'offers_in_person' | 'offers_video'> & {
  /** Mode of the type of visit; both where undefined or null. */
  type_mode?: VisitTypeRow['mode'] | null
}

function isOffered(provider: OfferedBy, mode: VisitMode): boolean {
  const ofType = provider.type_mode ?? 'both'
  if (ofType !== 'both' && ofType !== mode) return false
  return (mode === 'video' ? provider.offers_video : provider.offers_in_person) === 1
}

/** The modes a provider offers now for visits of a type. */
export function offeredModes(provider: OfferedBy): VisitMode[] {
  return (['in_person', 'video'] as const).filter((mode) => isOffered(provider, mode))
}

/** Throws `mode_not_offered` for a mode the provider does not offer for such a visit. */
export function assertOffered(provider: OfferedBy, mode: VisitMode): void {
  if (!isOffered(provider, mode)) throw new AppError('mode_not_offered', { mode })
}

/**
 * Mode of a new hold: the wanted one, else in person where that is offered. Throws `mode_not_offered` where
 * the wanted one is not.
 */
export function modeOfHold(provider: OfferedBy, wanted: VisitMode | undefined): VisitMode {
  if (wanted !== undefined) {
    assertOffered(provider, wanted)
    return wanted
  }
  return isOffered(provider, 'in_person') ? 'in_person' : 'video'
}

/** Throws `state_not_licensed` for a state in which a provider may not practise. */
export function assertLicensed(licensed: readonly string[], state: string): void {
  if (licensed.includes(state)) return
  throw new AppError('state_not_licensed', { states: statesText(licensed) })
}

/** Whether booking requires the state the patient will be in. */
export function needsPatientState({ region, mode }: Pick<BookingRow, 'region' | 'mode'>): boolean {
  return region === 'usa' && mode === 'video'
}

/** When a video visit can be joined; the end is exclusive. */
export function joinWindow(visit: Pick<BookingRow, 'start_at' | 'end_at'>): {
  opensAt: Instant
  closesAt: Instant
} {
  return { opensAt: visit.start_at - JOIN_BEFORE_MS, closesAt: visit.end_at + JOIN_AFTER_MS }
}
