import type { Failure } from '#app/lib/errors.ts'
import type { FailureReason } from '#contract/payments.ts'

// Section 8 of the specification, word for word.
export const FAILED = 'Payment failed. Please try again.'
export const TIMED_OUT = 'Payment verification timed out.'
export const CANCELLED = 'Payment is Cancelled'
export const WALLET_ERROR = 'There was an error with your payment, please try again'
export const NOT_VERIFIED = 'Payment verification failed.'
export const OTHER_ERROR = 'There was an issue confirming the booking.'
export const NO_SECRET = 'Invalid response from server. No clientSecret returned.'
export const SOMETHING = 'Something went wrong'

/** Beside the documented words when our server did not answer while money was moving. */
export const LOST_CONTACT =
  'We cannot see how it ended, because our server did not answer. Stay on this page: it asks again by itself. Nothing is taken twice.'

/** The server's own sentence where it has one, the documented words otherwise. */
export function cardMessage({ code, sentence }: Failure): string {
  return code === 'unknown' || code === 'internal' ? SOMETHING : sentence
}

const reasons: Record<FailureReason, string> = {
  declined: 'Your bank said no. Nothing was charged.',
  cancelled: 'The payment was stopped before anything was charged.',
  expired: 'The time to pay was over. Nothing was charged.',
  slot_lost: 'The time had gone to somebody else. What you paid goes back to you.',
  refunded: 'What you paid is on its way back to you.',
  review: 'We look into this payment and write to you by email.',
}

/** Why a payment did not become a visit, and where the money is. */
export function reasonWords(reason: FailureReason | null): string | null {
  return reason === null ? null : reasons[reason]
}
