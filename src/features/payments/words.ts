import type { Failure } from '#app/lib/errors.ts'
import type { Hold, PaymentMethod } from '#contract/booking.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Money } from '#contract/money.ts'
import type { FailureReason, PayInput } from '#contract/payments.ts'

// Section 8 of the specification, word for word.
export const FAILED = 'Payment failed. Please try again.'
export const TIMED_OUT = 'Payment verification timed out.'
export const CANCELLED = 'Payment is Cancelled'
export const WALLET_ERROR = 'There was an error with your payment, please try again'
export const NOT_VERIFIED = 'Payment verification failed.'
export const OTHER_ERROR = 'There was an issue confirming the booking.'
export const NO_SECRET = 'Invalid response from server. No clientSecret returned.'
export const SOMETHING = 'Something went wrong'

// Added to the documented words: whether money was taken, and what to do next.
const NOTHING = 'Nothing was charged.'
const NEXT = 'Try again, or pay another way below.'
export const NOT_CHARGED = `${NOTHING} ${NEXT}`
export const MAYBE_CHARGED =
  'Your visit is not booked. If money was taken, we’ll refund it automatically. Try again, or pay another way below.'
export const NOT_KNOWN =
  'We don’t know yet whether you were charged. Don’t pay again: we’ll email you as soon as we know, and refund anything charged for a visit that isn’t booked.'

/** Added to the documented words if our server did not respond while a payment was in progress. */
export const LOST_CONTACT =
  'We couldn’t check your payment because our server didn’t answer. Stay on this page: we’ll keep checking. You won’t be charged twice.'

/** The server's own sentence where it has one, the documented words otherwise. */
export function cardMessage({ code, sentence }: Failure): string {
  return code === 'unknown' || code === 'internal' ? SOMETHING : sentence
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
export function reasonWords(reason: FailureReason | null): string | null {
  return reason === null ? null : reasons[reason]
}

/** Follows a message about a payment that never began; some messages already say that nothing was charged. */
export function notCharged(said: string): string {
  return said.includes(NOTHING) ? NEXT : NOT_CHARGED
}

type Telling = {
  tell: (slot: PaymentSlot) => void
  /** The checkout itself changes, so no message is needed beside the button. */
  isSaidThere: boolean
}

const about: Partial<Record<ErrorCode, Telling>> = {
  slot_taken: { tell: (slot) => slot.onTaken(), isSaidThere: true },
  hold_expired: { tell: (slot) => slot.onHoldOver(), isSaidThere: true },
  provider_not_bookable: { tell: (slot) => slot.onHoldOver(), isSaidThere: true },
  hold_paid: { tell: (slot) => slot.onStale(), isSaidThere: true },
  code_required: { tell: (slot) => slot.onStale(), isSaidThere: false },
  price_changed: { tell: (slot) => slot.onStale(), isSaidThere: false },
  follow_up_refused: { tell: (slot) => slot.onStale(), isSaidThere: false },
}
const byCode = new Map(Object.entries(about))

/** Passes a refusal about the hold to the checkout; true if that needs no further message. */
export function tellCheckout({ code }: Failure, slot: PaymentSlot): boolean {
  const telling = byCode.get(code)
  telling?.tell(slot)
  return telling?.isSaidThere ?? false
}

/** The price shown to the patient. */
export function priceOf(hold: Hold): Money {
  return hold.fees[hold.typeOfVisit]
}

/** The input that starts a payment: our fields, and the price on the screen for the server to compare. */
export function payInputOf(hold: Hold): PayInput {
  return {
    holdId: hold.id,
    typeOfVisit: hold.typeOfVisit,
    purposeForVisit: hold.purposeForVisit,
    shown: priceOf(hold),
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
