import type { RefundOrder } from './payment-gateways.ts'

/**
 * The idempotency key of a refund: the same however often it is tried. Only a failure that the gateway
 * keeps under the key asks for another round, and only after its list of refunds showed that nothing
 * was done.
 */
export function refundKey({ paymentId, key, keyRound }: RefundOrder): string {
  return `pay:${paymentId}:refund:${key}${keyRound === 0 ? '' : `:${keyRound}`}`
}

/** What a refund is called at PayPal, which keeps one name of ours (`invoice_id`) with it. */
export function refundName({ paymentId, key }: Pick<RefundOrder, 'paymentId' | 'key'>): string {
  return `${paymentId}:${key}`
}

/** The key in such a name; null for a name we never gave. */
export function keyInName(name: string | undefined): string | null {
  return /^pay_[0-9a-z]{26}:(.+)$/.exec(name ?? '')?.[1] ?? null
}
