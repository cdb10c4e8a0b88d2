import type { Failure } from '#app/lib/errors.ts'
import type { ErrorCode } from '#contract/base/errors.ts'
import type { Money } from '#contract/base/money.ts'
import type { Hold, PaymentMethod } from '#contract/booking.ts'
import type { FailureReason, PayInput } from '#contract/payments.ts'

// Section 8 of the specification, word for word.
export const FAILED = 'Payment failed. Please try again.'
export const TIMED_OUT = 'Payment verification timed out.'
export const CANCELLED = 'Payment is Cancelled'
export const WALLET_ERROR = 'There was an error with your payment, please try again'
export const NOT_VERIFIED = 'Payment verification failed.'
export const OTHER_ERROR = 'There was an issue confirming the booking.'
export const NO_SECRET = 'Invalid response from server. No clientSecret returned.'
export const SOMETHING_WRONG = 'Something went wrong'

// Added to the documented words: whether money was taken, and what to do next.
const NOTHING_CHARGED = 'Nothing was charged.'
const TRY_AGAIN = 'Try again, or pay another way below.'
export const NOT_CHARGED = `${NOTHING_CHARGED} ${TRY_AGAIN}`
export const MAYBE_CHARGED =
  'Your visit is not booked. If money was taken, we’ll refund it automatically. Try again, or pay another way below.'
export const OUTCOME_UNKNOWN =
  'We don’t know yet whether you were charged. Don’t pay again: we’ll email you as soon as we know, and refund anything charged for a visit that isn’t booked.'

/** Added to the documented words if our server did not respond while a payment was in progress. */
export const SERVER_UNREACHABLE =
  'We couldn’t check your payment because our server didn’t answer. Stay on this page: we’ll keep checking. You won’t be charged twice.'

/** Replaces `SERVER_UNREACHABLE` once the page has given up retrying. */
export const SERVER_STILL_UNREACHABLE =
  'We couldn’t check your payment because our server didn’t answer. Reload this page to check again. You won’t be charged twice.'

/** The server's own sentence where it has one, the documented words otherwise. */
export function cardMessage({ code, sentence }: Failure): string {
  return code === 'unknown' || code === 'internal' ? SOMETHING_WRONG : sentence
}

const reasons: Record<FailureReason, string> = {
  declined:
    'Your bank declined the payment. Nothing was charged. Try again, or pay another way below.',
  cancelled: 'The payment was cancelled. Nothing was charged.',
  expired: 'The time to pay ran out. Nothing was charged.',
  slot_lost: 'Someone else booked this time first. We’ll refund what you paid.',
  refunded: 'Your refund is on its way.',
  review: 'We’re looking into this payment and will email you.',
}

/** Why a payment did not become a visit, and where the money is. */
export function reasonText(reason: FailureReason | null): string | null {
  return reason === null ? null : reasons[reason]
}

/** Follows a message about a payment that never began; some messages already say that nothing was charged. */
export function notChargedText(message: string): string {
  return message.includes(NOTHING_CHARGED) ? TRY_AGAIN : NOT_CHARGED
}

type CheckoutReaction = {
  notify: (slot: PaymentSlot) => void
  /** The checkout itself changes, so no message is needed beside the button. */
  isShownThere: boolean
}

const reactions: Partial<Record<ErrorCode, CheckoutReaction>> = {
  slot_taken: { notify: (slot) => slot.onTaken(), isShownThere: true },
  hold_expired: { notify: (slot) => slot.onHoldOver(), isShownThere: true },
  provider_not_bookable: { notify: (slot) => slot.onHoldOver(), isShownThere: true },
  hold_paid: { notify: (slot) => slot.onStale(), isShownThere: true },
  code_required: { notify: (slot) => slot.onStale(), isShownThere: false },
  price_changed: { notify: (slot) => slot.onStale(), isShownThere: false },
  follow_up_refused: { notify: (slot) => slot.onStale(), isShownThere: false },
}
const byCode = new Map(Object.entries(reactions))

/** Passes a refusal about the hold to the checkout; true if that needs no further message. */
export function notifyCheckout({ code }: Failure, slot: PaymentSlot): boolean {
  const reaction = byCode.get(code)
  reaction?.notify(slot)
  return reaction?.isShownThere ?? false
}

/** The price shown to the patient. */
export function shownPrice(hold: Hold): Money {
  return hold.fees[hold.typeOfVisit]
}

/** The input that starts a payment: our fields, and the price on the screen for the server to compare. */
export function payInputOf(hold: Hold): PayInput {
  const { patientState } = hold
  return {
    holdId: hold.id,
    typeOfVisit: hold.typeOfVisit,
    mode: hold.mode,
    ...(patientState !== null && { patientState }),
    purposeForVisit: hold.purposeForVisit,
    shown: shownPrice(hold),
  }
}

/** The checkout's interface to the payment buttons: properties and callbacks. */
export type PaymentSlot = {
  hold: Hold
  /** A payment is in progress: the page must stay. */
  onPaying: (isPaying: boolean) => void
  onBooked: (visitId: string) => void
  /** The time has been taken. */
  onTaken: () => void
  onHoldOver: () => void
  /** The hold differs from what the page shows: fetch it again. */
  onStale: () => void
  /** Pays the other way, without going back to the first step. */
  onMethod: (method: PaymentMethod) => void
  isPaying: boolean
}
