import {
  dayOf,
  formatDate,
  formatDay,
  formatFullDate,
  formatLongDate,
  formatTime,
  formatTimeWithZone,
  zoneLabel,
} from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { dateFormat, numberFormat, timeZoneLabel } from '#contract/base/intl.ts'
import { formatExactMoney, type Money } from '#contract/base/money.ts'
import type { Gender, ProfessionalBody } from '#contract/base/people.ts'
import { regionFacts } from '#contract/base/region.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'
import { type VisitFacts, type VisitType, withTypeName } from '#contract/booking.ts'
import { deskKindLabels } from '#contract/booking-desk.ts'
import type { DayVisit } from '#contract/booking-provider.ts'
import type { HistoryRow } from '#contract/payments-history.ts'
import type { VisitMode } from '#contract/search.ts'
import { formatWallTime } from './dates/slot-choice.ts'

/** Text of an empty cell. */
const MISSING = 'N/A'

/** Currency symbol of a history row: rows of India and of unknown regions are in rupees. */
function currencySign(region: string): string {
  if (region === 'usa') return '$'
  return region === 'uk' ? '£' : '₹'
}

const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const

/** "£60.00" with the sign of the row's region; a missing amount is 0.00. */
export function historyAmount({ amount, doctor_region: region }: HistoryRow): string {
  return currencySign(region) + numberFormat('en-GB', twoDigits).format((amount?.minor ?? 0) / 100)
}

/** "£60.00 refunded", or null. */
export function historyRefund({ refunded, doctor_region: region }: HistoryRow): string | null {
  if (refunded === null) return null
  return `${currencySign(region)}${numberFormat('en-GB', twoDigits).format(refunded.minor / 100)} refunded`
}

/** Date of a row in the format of its region. */
export function historyDate({ date, doctor_region: region }: HistoryRow): string {
  return date === null ? MISSING : formatDate(date, region === 'usa' ? 'usa' : 'uk')
}

/** Start time of a row in the format of its region. */
export function historyTime({ start_time: time, doctor_region: region }: HistoryRow): string {
  if (time === null) return MISSING
  return region === 'usa' ? formatWallTime(time, regionFacts.usa.timeZone) : time
}

/** "1 Dec 2026": one format for staff, who read rows of both regions in one list. */
export function staffDate({ date }: HistoryRow): string {
  return date === null ? MISSING : formatFullDate(date, 'uk')
}

/** "14:30": one format for staff as well. */
export function staffTime({ start_time: time }: HistoryRow): string {
  return time ?? MISSING
}

/** Status of a visit and of its payment, in a word or two. */
export function historyStatus({ state, refunded, amount }: HistoryRow): {
  words: string
  money: string | null
} {
  const words = state === 'cancelled' ? 'Cancelled' : 'Booked'
  if (refunded === null || refunded.minor === 0) return { words, money: null }
  return { words, money: refunded.minor < (amount?.minor ?? 0) ? 'Partly refunded' : 'Refunded' }
}

const methods = { stripe: 'Card (Stripe)', paypal: 'PayPal' } as const

export function historyMethod({ payment_method: method }: HistoryRow): string {
  return method === null ? MISSING : methods[method]
}

export function historyName(name: string | null): string {
  return name ?? MISSING
}

/** Names of the visit kinds, shown beside the fee. */
const visitTypeLabels: Record<VisitType, string> = {
  first_visit: 'First visit',
  follow_up: 'Follow-up',
}

/** What a visit is: "First visit", or "Hygienist (first visit)" where there is more than one type. */
export function visitTypeText(visit: { typeOfVisit: VisitType; typeName: string | null }): string {
  return withTypeName(visitTypeLabels[visit.typeOfVisit], visit.typeName)
}

/** The same, or for a desk booking how it was made: "Walk-in". */
export function visitKindText({
  desk,
  typeOfVisit,
  typeName,
}: Pick<DayVisit, 'desk' | 'typeOfVisit' | 'typeName'>): string {
  if (desk !== null) return deskKindLabels[desk]
  return typeOfVisit === null ? '' : visitTypeText({ typeOfVisit, typeName })
}

type Times = Pick<VisitFacts, 'startsAt' | 'endsAt' | 'timeZone'>

/** "10:30 to 11:00", in the clinic's local time. */
export function visitHours({ startsAt, endsAt, timeZone }: Times): string {
  return `${formatTime(startsAt, timeZone)} to ${formatTime(endsAt, timeZone)}`
}

/** "9:00 am to 9:30 am CST": the same with the zone, where visits of several are listed. */
export function zonedHours({ startsAt, endsAt, timeZone }: Times): string {
  return `${formatTime(startsAt, timeZone)} to ${formatTimeWithZone(endsAt, timeZone)}`
}

/** "9:00 am CST there": a visit's time at its place, where that is in another zone than the main place. */
export function localTimeText(
  { startsAt, timeZone }: Omit<Times, 'endsAt'>,
  mainZone: string,
): string | null {
  return timeZone === mainZone ? null : `${formatTimeWithZone(startsAt, timeZone)} there`
}

/** "London time, GMT": visits in person are never shown in the reader's own zone. */
export function visitZone({ startsAt, timeZone }: Times): string {
  return zoneLabel(startsAt, timeZone)
}

export const bodyNames: Record<ProfessionalBody, string> = {
  GMC: 'GMC, General Medical Council',
  GDC: 'GDC, General Dental Council',
  NPI: 'NPI, National Provider Identifier',
}

export const genderNames: Record<Gender, string> = {
  female: 'Female',
  male: 'Male',
  non_binary: 'Non-binary',
}

/** "Tue 1 Dec, 09:00", in the clinic's local time. */
export function visitMoment(at: string, timeZone: string): string {
  return `${formatDay(dayOf(at, timeZone), timeZone)}, ${formatTime(at, timeZone)}`
}

/** "Monday 9 March 2026, 14:30": a deadline, which ends at a moment of its day. */
export function deadlineText(at: string, timeZone: string): string {
  return `${formatLongDate(at, timeZone)}, ${formatTime(at, timeZone)}`
}

type Cancelled = Pick<VisitFacts, 'startsAt' | 'timeZone' | 'cancellation'>

/**
 * Cost of cancelling a held or booked visit, with date and amount: "Free cancellation until Tue 1 Dec, 09:00.
 * After that, cancelling costs £30.00 of £60.00."
 */
export function cancellationSentence(visit: Cancelled, type: VisitType, price: Money): string {
  const { cancellation, startsAt, timeZone } = visit
  const { freeUntil, isFree } = cancellation
  const kept = cancellation.kept[type]
  if (kept.minor === 0 || Date.parse(freeUntil) >= Date.parse(startsAt)) {
    return 'Free cancellation until the visit begins.'
  }
  const isAll = kept.minor === price.minor
  const cost = `${formatExactMoney(kept)} of ${formatExactMoney(price)}`
  if (!isFree) return isAll ? 'If you cancel, there is no refund.' : `Cancelling costs ${cost}.`
  const later = isAll ? 'After that there is no refund.' : `After that, cancelling costs ${cost}.`
  return `Free cancellation until ${visitMoment(freeUntil, timeZone)}. ${later}`
}

/** Cost of missing a held or booked visit: "If you miss it, £30.00 of £60.00 isn’t refunded." */
export function missedSentence({ cancellation }: Cancelled, price: Money): string {
  const minor = Math.floor((price.minor * cancellation.noShowPercent) / 100)
  if (minor === 0) return 'If you miss it, you’re refunded in full.'
  if (minor === price.minor) return 'If you miss it, there’s no refund.'
  const kept = formatExactMoney({ minor, currency: price.currency })
  return `If you miss it, ${kept} of ${formatExactMoney(price)} isn’t refunded.`
}

function lateFeeText(percent: number): string {
  if (percent === 100) return 'After that there is no refund.'
  return `After that ${percent}% of the fee is charged.`
}

/**
 * The cancellation policy in one or two sentences; `freeHours` before the visit, `latePercent` of the fee.
 */
export function policySentence(policy: { freeHours: number; latePercent: number }): string {
  const { freeHours, latePercent } = policy
  if (freeHours === 0 || latePercent === 0) return 'Free cancellation until the visit begins.'
  return `Free cancellation until ${plural(freeHours, 'hour')} before. ${lateFeeText(latePercent)}`
}

/** Names of the visit modes. */
export const modeLabels: Record<VisitMode, string> = {
  in_person: 'In person',
  video: 'Video visit',
}

/** "in London", "Central Time": follows a time in the clinic's zone. */
function clockText(timeZone: string): string {
  const name = timeZoneLabel(timeZone)
  const town = /^(.+) time$/.exec(name)?.[1]
  return town === undefined ? name : `in ${town}`
}

/**
 * "14:30 in London · 09:30 where you are": start of a video visit in both zones, with the user's day if it
 * differs; null if both show the same.
 */
export function twoClocks(
  at: string,
  timeZone: string,
  own = Intl.DateTimeFormat().resolvedOptions().timeZone,
): string | null {
  const there = formatTime(at, timeZone)
  const { locale, hour12 } = factsOfZone(timeZone)
  const here = dateFormat(locale, {
    timeZone: own,
    hour: hour12 ? 'numeric' : '2-digit',
    minute: '2-digit',
    hour12,
  })
    .format(new Date(at))
    .replace(/\s?([AP])M$/, (_, half: string) => ` ${half.toLowerCase()}m`)
  const isSameDay = dayOf(at, timeZone) === dayOf(at, own)
  if (here === there && isSameDay) return null
  const day = isSameDay ? '' : `${formatDay(dayOf(at, own), timeZone)}, `
  return `${there} ${clockText(timeZone)} · ${day}${here} where you are`
}
