import { dayOf, formatFullDate, formatTime } from '#app/lib/format/dates.ts'
import { trpc } from '#app/trpc.ts'
import { DEFAULT_REGION, regionFacts } from '#contract/base/region.ts'
import type {
  PaymentDetail,
  RefundReason,
  StaffPayment,
  TimelineEntry,
} from '#contract/payments.ts'
import type { Difference } from '#contract/payments-review.ts'

/** "1 Dec 2026": the day in a time zone, in the one format staff read. */
export function staffDay(at: string, timeZone = regionFacts[DEFAULT_REGION].timeZone): string {
  return formatFullDate(dayOf(at, timeZone), 'uk')
}

/** "1 Dec 2026, 14:30", in a time zone. */
export function staffMoment(at: string, timeZone: string): string {
  return `${staffDay(at, timeZone)}, ${formatTime(at, timeZone)}`
}

/** Where a refund goes. */
export const refundTargets: Record<PaymentDetail['gateway'], string> = {
  stripe: 'the card it was paid with',
  paypal: 'the PayPal account it was paid from',
}

export const gatewayLabels: Record<PaymentDetail['gateway'], string> = {
  stripe: 'Card (Stripe)',
  paypal: 'PayPal',
}

type State = PaymentDetail['state']

export const paymentStateLabels: Record<State, string> = {
  creating: 'Started',
  open: 'Open',
  capturing: 'Being taken',
  paid: 'Paid',
  expired: 'Expired',
  abandoned: 'Abandoned',
  failed: 'Declined',
  refund_due: 'Being refunded',
  refunded: 'Fully refunded',
  review: 'In review',
}

export const visitStateLabels: Record<StaffPayment['state'], string> = {
  held: 'Held',
  confirmed: 'Booked',
  released: 'Not booked',
  cancelled: 'Cancelled',
}

const isState = (text: string): text is State => text in paymentStateLabels
const stateText = (text: string | null) =>
  text !== null && isState(text) ? paymentStateLabels[text].toLowerCase() : (text ?? '')

const refundReasons: Readonly<Record<RefundReason, string>> = {
  slot_lost: 'The payment arrived after the hold had ended.',
  cancelled: 'The visit was cancelled.',
  not_held: 'The visit didn’t take place.',
  no_show: 'The patient missed the visit; this is the part we refund.',
  refilled: 'The time was booked again after a late cancellation; this is the fee.',
  overpaid: 'More was paid than the visit costs.',
  review: 'The payment didn’t match what was requested.',
  gateway: 'Someone refunded it at the gateway.',
  staff: 'Staff refunded it.',
}

const isRefundReason = (text: string): text is RefundReason => text in refundReasons

const paymentReasons: Readonly<Record<string, string>> = {
  declined: 'The payer’s bank or wallet declined it.',
  cancelled: 'The payer cancelled.',
  expired: 'Nobody paid in time.',
  slot_lost: 'The hold had ended.',
  refunded: 'It was refunded at the gateway before the visit was booked.',
  mismatch: 'The amount, currency or payment didn’t match what was requested.',
}

const refundResultLabels: Readonly<Record<string, string>> = {
  done: 'Refund sent',
  failed: 'Refund failed',
  pending: 'Refund on its way',
}

/** The heading of a timeline entry. */
export function entryTitle({ what, to }: TimelineEntry): string {
  switch (what) {
    case 'held':
      return 'Time held for the patient'
    case 'started':
      return 'Payment started'
    case 'moved':
      return `Payment ${stateText(to)}`
    case 'event':
      return 'Message from the gateway'
    case 'booked':
      return 'Visit booked'
    case 'released':
      return 'Hold released, not booked'
    case 'cancelled':
      return 'Visit cancelled'
    case 'visit_moved':
      return 'Visit moved'
    case 'times_proposed':
      return 'Other times proposed'
    case 'time_kept':
      return 'Proposed times turned down'
    case 'decided':
      return to === 'accepted' ? 'Accepted as paid' : 'Decided to refund'
    case 'refund_asked':
      return 'Refund requested'
    case 'refund_ended':
      return refundResultLabels[to ?? ''] ?? 'Refund updated'
    case 'refund_dealt':
      return to === 'done' ? 'Marked as refunded' : 'Failed refund resolved'
    case 'email':
      return 'Email sent'
  }
}

const movedByLabels: Readonly<Record<string, string>> = {
  patient: 'By the patient',
  provider: 'By the provider',
  system: 'By Apposite',
  proposed: 'By the patient, to a time the provider proposed',
}

/** The detail below a timeline entry's heading: the reason, or what changed. */
export function entryDetail(
  { what, note, from, to, fromZone, toZone }: TimelineEntry,
  timeZone: string,
): string | null {
  if (what === 'visit_moved' && from !== null && to !== null) {
    const times = `${staffMoment(from, fromZone ?? timeZone)} to ${staffMoment(to, toZone ?? timeZone)}`
    return note === null ? times : `${times}\n${movedByLabels[note] ?? note}`
  }
  if (note === null) return null
  if (what === 'refund_asked') return isRefundReason(note) ? refundReasons[note] : note
  if (what === 'times_proposed' || what === 'time_kept') return movedByLabels[note] ?? null
  if (what === 'moved') return to === 'paid' ? null : (paymentReasons[note] ?? note)
  return note
}

export const differenceLabels: Record<Difference['kind'], string> = {
  no_payment: 'Charge with no matching payment',
  amount: 'Charged amount doesn’t match ours',
  no_visit: 'Charge without a visit or a refund',
  refund_unknown: 'Refunded at the gateway, not by us',
  no_money: 'Paid in our records, but not at the gateway',
  no_answer: 'PayPal never confirmed this payment',
  dispute: 'The patient disputes this payment',
}

/** Refetches lists, counts and the payment itself after a change. */
export function useInvalidatePayments(): () => Promise<void> {
  const utils = trpc.useUtils()
  return () => utils.payments.invalidate()
}
