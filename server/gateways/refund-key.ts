import type { RefundOrder } from './payment-gateways.ts'

/** A gateway keeps its first answer under a key, also a failure: after so many another key is due. */
const TRIES_A_KEY = 3

/**
 * The idempotency key of a refund: the same for the first tries, then another. Whoever uses another
 * one has looked first whether the refund exists; neither gateway pays back more than was taken.
 */
export function refundKey({ paymentId, key, tries = 0 }: RefundOrder): string {
  const round = Math.floor(tries / TRIES_A_KEY)
  return `pay:${paymentId}:refund:${key}${round === 0 ? '' : `:${round}`}`
}
